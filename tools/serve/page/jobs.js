// The jobs of a server, the newest first, and the tasks of the one that is opened.
const page = 100;       // jobs that are shown
const most_tasks = 1000;  // of the opened job
const every = 1000;     // ms between two looks
const get = (id) => document.getElementById(id);
let opened = 0;
let looking = false;

function element(name, text, title) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (title !== undefined) made.title = title;
  return made;
}

function cell(content, kind) {
  const made = element('td');
  if (content instanceof Node) made.append(content); else made.textContent = content;
  if (kind) made.className = kind;
  return made;
}

const clock = (time) => new Date(time).toLocaleTimeString();
const lasted = (milliseconds) => milliseconds < 60000 ? (milliseconds / 1000).toFixed(1) + ' s'
  : Math.floor(milliseconds / 60000) + ' min ' + Math.round(milliseconds % 60000 / 1000) + ' s';

function progressOf(job) {
  const all = element('span');
  const bar = element('progress');
  bar.max = job.tasks;
  bar.value = job.done;
  bar.setAttribute('aria-label', 'tasks done of job ' + job.id);
  all.append(bar, job.done + ' of ' + job.tasks);
  return all;
}

// The hash of an uploaded file is long, and its beginning tells it from others.
const briefly = (work) => work.replace(/(uploads\/[0-9a-f]{8})[0-9a-f]{56}/g, '$1\u2026');

function rowOf(job) {
  const row = element('tr');
  const open = element('button', String(job.id), 'its tasks');
  open.addEventListener('click', () => { opened = opened === job.id ? 0 : job.id; look(); });
  row.className = job.id === opened ? 'opened' : '';
  row.append(cell(open), cell(job.state), cell(progressOf(job)), cell(String(job.wrong), job.wrong ? 'bad' : ''),
    cell(element('time', clock(job.submitted), new Date(job.submitted).toISOString())),
    cell(lasted((job.finished ?? Date.now()) - job.submitted)), cell(element('span', briefly(job.work), job.work)));
  return row;
}

// Ids begin at 1 and no job is ever removed, so that the last id is the number of jobs.
async function newest(state, counts) {
  if (state === 'open') return (await (await askFor('/jobs?state=open&limit=' + page)).json()).jobs;
  const last = counts.open + counts.done + counts.cancelled;
  if (state === '') return (await (await askFor('/jobs?limit=' + page + '&after=' + Math.max(0, last - page))).json()).jobs.reverse();
  return (await (await askFor('/jobs?state=' + state + '&limit=1000&after=' + Math.max(0, last - 1000))).json()).jobs.reverse().slice(0, page);
}

async function countJobs() {
  const figures = await (await askFor('/metrics')).text();
  const figure = (name) => Number(figures.split('\n').find((line) => line.startsWith(name + ' '))?.slice(name.length) ?? 0);
  const ofState = (state) => figure('rhizome_serve_jobs{state="' + state + '"}');
  return { open: ofState('open'), done: ofState('done'), cancelled: ofState('cancelled'),
    tasks: figure('rhizome_serve_tasks_total'), wrong: figure('rhizome_serve_wrong_total') };
}

function taskRow(task) {
  const row = element('tr');
  const kind = task.right === false ? 'bad' : '';
  row.append(cell(String(task.task)), cell(task.right === false ? 'wrong' : task.state, kind), cell(task.peer === null ? '' : 'peer ' + task.peer),
    cell(task.finished === null ? '' : clock(task.finished)), cell(task.result ?? ''));
  return row;
}

async function lookInto(id) {
  const tasks = (await (await askFor('/jobs/' + id + '/tasks?limit=' + most_tasks)).json()).tasks;
  const done = new Map();
  for (const { peer } of tasks) if (peer !== null) done.set(peer, (done.get(peer) ?? 0) + 1);
  const peers = [...done].sort(([a, m], [b, n]) => n - m || a - b);
  const shown = peers.slice(0, 20).map(([peer, count]) => 'peer ' + peer + ': ' + count);
  get('tasks-title').textContent = 'Tasks of job ' + id;
  get('peers').textContent = peers.length === 0 ? 'no task is done yet'
    : 'done by ' + shown.join(', ') + (peers.length > shown.length ? ' and ' + (peers.length - shown.length) + ' other peers' : '');
  get('tasks').tBodies[0].replaceChildren(...tasks.map(taskRow));
  get('rest').textContent = tasks.length === most_tasks ? 'the first ' + most_tasks + ' tasks' : '';
}

async function look() {
  if (looking || document.hidden) return;
  looking = true;
  try {
    const counts = await countJobs();
    const state = get('state').value;
    const jobs = await newest(state, counts);
    get('counts').textContent = counts.open + ' open, ' + counts.done + ' done, ' + counts.cancelled + ' cancelled; ' +
      counts.tasks + ' tasks done, ' + counts.wrong + ' of them wrong';
    get('jobs').tBodies[0].replaceChildren(...jobs.map(rowOf));
    get('none').hidden = jobs.length > 0;
    get('more').textContent = jobs.length === page ? 'the first ' + page + ' of them' : '';
    get('tasks-part').hidden = opened === 0;
    if (opened !== 0) await lookInto(opened);
    stand('live', 'good');
  } catch (error) {
    stand(error instanceof TypeError ? 'the server does not answer' : error.message, 'bad');
  }
  looking = false;
}

function stand(words, kind) {
  const standing = get('standing');
  if (standing.textContent !== words) standing.textContent = words;
  standing.className = 'badge ' + kind;
}

get('state').addEventListener('change', look);
get('close').addEventListener('click', () => { opened = 0; look(); });
document.addEventListener('visibilitychange', look);
setInterval(look, every);
look();
