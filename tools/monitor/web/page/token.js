// The token leaves the address, which is seen, shared and kept in histories; it stays with the tab. It
// opens the server that printed it and none after that: whoever has its port later may learn it.
const token = location.hash.slice(1) || sessionStorage.getItem('token') || '';
sessionStorage.setItem('token', token);
history.replaceState(null, '', location.pathname);
addEventListener('hashchange', () => location.reload());

// The answer of the server to a request; throws with its own words where it refuses.
async function askFor(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { ...options.headers, Authorization: 'Bearer ' + token }, cache: 'no-store' });
  if (answer.status === 401) throw new Error('no or a wrong token: open the address that rhizome printed');
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer;
}
