// Input of the user: search, pointer, drag, keys.
function find(words) {
  const task = words.match(/^(?:task\s*)?(\d+\.\d+)$/i);
  const peer = words.match(/^(?:peer\s*)?#?(\d+)$/i);
  return task ? openTask(task[1]) : peer ? openPeer(Number(peer[1])) : false;
}

function showTip(x, y, peer, { run } = known) {
  const tip = byId('tip');
  tip.hidden = peer < 0 || !run;
  if (tip.hidden) return;
  setText(tip, `${nameOf(peer)}${isAlive(run, peer) ? isSilent(run, peer) ? ', silent' : '' : ', down'}\n${figure(run.sentRate[peer])} sent/s, ${figure(run.receivedRate[peer])} received/s\n${run.row[inbox][peer]} messages and ${run.row[waiting][peer]} tasks wait, ${run.row[running][peer]} run`);
  tip.style.left = Math.min(x + 12, innerWidth - 190) + 'px';
  tip.style.top = Math.min(y + 12, innerHeight - 70) + 'px';
}

function listenToTree(canvas) {
  const side = () => sides.find((each) => each.canvas === canvas) || sides[0];
  const peerAt = (event) => (side().run ? treePeerAt(side(), event.offsetX, event.offsetY) : -1);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoomTree(side(), Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    wake();
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    known = side();
    side().view.drag = { x: event.clientX, y: event.clientY, far: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const { view: tree } = side();
    if (!tree.drag) { showTip(event.clientX, event.clientY, peerAt(event), side()); return; }
    const [dx, dy] = [event.clientX - tree.drag.x, event.clientY - tree.drag.y];
    if (!tree.drag.far && Math.hypot(dx, dy) < 4) return;
    Object.assign(tree, { x: tree.x + dx, y: tree.y + dy, drag: { x: event.clientX, y: event.clientY, far: true } });
    wake();
  });
  canvas.addEventListener('pointerup', (event) => {
    const { view: tree } = side();
    if (tree.drag && !tree.drag.far && peerAt(event) >= 0) openPeer(peerAt(event));
    tree.drag = null;
  });
  canvas.addEventListener('pointercancel', () => { side().view.drag = null; });
  canvas.addEventListener('pointerleave', () => showTip(0, 0, -1));
  const steps = { ArrowLeft: [30, 0], ArrowRight: [-30, 0], ArrowUp: [0, 30], ArrowDown: [0, -30] };
  canvas.addEventListener('keydown', (event) => {
    const { view: tree } = side();
    if (steps[event.key] && !event.shiftKey) { tree.x += steps[event.key][0]; tree.y += steps[event.key][1]; }
    else if (event.key === '+' || event.key === '=') zoomTree(side(), 1.3);
    else if (event.key === '-') zoomTree(side(), 1 / 1.3);
    else if (event.key === '0') Object.assign(tree, { x: 0, y: 0, zoom: 1 });
    else return;
    event.preventDefault();
    wake();
  });
}

function listenToHeat(canvas) {
  const peerAt = (event) => (known.run ? heatPeerAt(known.run, event.offsetX, event.offsetY) : -1);
  canvas.addEventListener('click', (event) => openPeer(peerAt(event)));
  canvas.addEventListener('pointermove', (event) => showTip(event.clientX, event.clientY, peerAt(event)));
  canvas.addEventListener('pointerleave', () => showTip(0, 0, -1));
  canvas.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? 0 : { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -heat.across, ArrowDown: heat.across }[event.key];
    if (event.key === 'Enter' && heat.cursor >= 0) openPeer(heat.cursor);
    if (!step || !known.run) return;
    event.preventDefault();
    heat.cursor = Math.max(0, Math.min(known.run.title.peers - 1, heat.cursor < 0 ? 0 : heat.cursor + step));
    setText(byId('heat-text'), `${nameOf(heat.cursor)}: ${figure(metrics[scale.metric].of(known.run, heat.cursor))} ${metrics[scale.metric].unit}`);
    wake();
  });
}
