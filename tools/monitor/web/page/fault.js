// Faults by hand, for peers of the run shown on the rest of the page, at its present time even if
// another time is shown; only for a run begun with --control.
const faultPeer = { opened: -1 };  // the opened peer, if it was named as the default

// Why no fault can be caused now; empty if one can.
function whyNoFaults() {
  const { live, end, control } = known;
  if (isRecorded()) return 'a recording or a finished run cannot be steered';
  if (end !== null) return 'there are no faults any more: ' + known.standing;
  if (!live) return 'nothing is known of the run yet';
  if (live.over) return 'the run is over';
  return control ? '' : 'the run was begun without --control: only runs begun with it can be steered';
}

function tellOfFault(words, refused) {
  byId('fault-text').className = refused ? 'bad' : 'good';
  setText(byId('fault-text'), words);
}

// The text is set anew each time, so that a screen reader repeats an equal one.
async function cause(command) {
  const peers = byId('fault-peers').value.replace(/\s/g, '');
  tellOfFault('', false);
  if (command !== 'heal' && !/^\d+(\.\.\d+)?(,\d+(\.\.\d+)?)*$/.test(peers)) {
    tellOfFault('peers are numbers and ranges such as 3,4,9..12', true);
    return;
  }
  try {
    const { done } = await (await postOrder(known, command, command === 'heal' ? {} : { peers })).json();
    tellOfFault(done, false);
  } catch (error) {
    tellOfFault(error instanceof TypeError ? 'the server has gone' : error.message, true);
  }
}

// The opened peer is the default, until the user names others.
function tellFaults() {
  const why = whyNoFaults();
  byId('fault').querySelector('fieldset').disabled = why !== '';
  const { live } = known;
  setText(byId('fault-why'), why || `in ${live.title.label} #${live.title.repetition + 1}, now`);
  const opened = drawer.kind === 'peer' ? drawer.peer : -1;
  if (opened >= 0 && opened !== faultPeer.opened) byId('fault-peers').value = String(opened);
  faultPeer.opened = opened;
}

function listenToFaults() {
  const place = byId('fault');
  for (const button of place.querySelectorAll('button')) button.addEventListener('click', () => cause(button.value));
  place.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !place.open) return;
    event.stopPropagation();
    place.open = false;
    place.querySelector('summary').focus();
  });
}
