'use strict';
// Many parsers at a time: a cluster, whose workers are replaced while requests come; then worker threads, each with a
// server and clients.

const cluster = require('node:cluster');
const crypto = require('node:crypto');
const events = require('node:events');
const http = require('node:http');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { expect, library, listen, mapped } = require('./common.js');

const WORKERS = 3;
const REQUESTS = 300;

function serve(count) {
  return http.createServer((req, res) => {
    const sum = crypto.createHash('sha256').update(JSON.stringify([req.method, req.url, req.rawHeaders.slice(2)]));
    req.on('data', (part) => sum.update(part));
    req.on('end', () => {
      count?.();
      res.setHeader('Sum', sum.digest('hex'));
      res.end(req.url);
    });
  });
}

// One request, number i of some client; resolves to whether the server saw what was sent.
function ask(port, agent, client, i) {
  const method = ['GET', 'POST', 'PUT'][i % 3];
  const path = `/${client}/${i}?${'x'.repeat(i % 200)}`;
  const fields = ['X-Number', String(i), 'Cookie', 'c'.repeat((i * 37) % 2000), 'Connection', 'keep-alive'];
  const body = method === 'GET' ? '' : 'b'.repeat((i * 101) % 5000);
  const framing =
    method === 'GET' ? [] : i % 2 ? ['Content-Length', String(body.length)] : ['Transfer-Encoding', 'chunked'];
  const headers = ['Host', 'h', ...fields, ...framing];
  const wanted = crypto
    .createHash('sha256')
    .update(JSON.stringify([method, path, headers.slice(2)]))
    .update(body)
    .digest('hex');
  return new Promise((resolve, reject) => {
    const req = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (res) => {
      let answer = '';
      res.on('data', (part) => {
        answer += part;
      });
      res.on('end', () => resolve(res.headers.sum === wanted && answer === path));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

async function clients(port, names, agent) {
  let right = 0;
  await Promise.all(
    names.map(async (name) => {
      for (let i = 0; i < REQUESTS; i++) if (await ask(port, agent, name, i)) right++;
    }),
  );
  return right;
}

async function runCluster() {
  const counts = new Map();
  cluster.setupPrimary({ exec: __filename });
  cluster.on('message', (worker, message) => {
    if (message === 'request') counts.set(worker.id, (counts.get(worker.id) ?? 0) + 1);
  });
  const start = async () => {
    const worker = cluster.fork();
    const [address] = await events.once(worker, 'listening');
    return { worker, port: address.port };
  };
  const workers = [];
  for (let i = 0; i < WORKERS; i++) workers.push(await start());
  const { port } = workers[0];
  for (const { worker } of workers) library('cluster worker', worker.process.pid);
  const agent = () => new http.Agent({ keepAlive: false });
  expect('cluster: right answers', await clients(port, ['a', 'b', 'c', 'd'], agent()), 4 * REQUESTS);
  expect('cluster: every worker took part', [...counts.keys()].length, WORKERS);
  // One worker leaves, another takes its place.
  const left = events.once(workers[0].worker, 'exit');
  workers[0].worker.disconnect();
  const [code] = await left;
  expect('cluster: exit status of a worker', code, 0);
  const fresh = await start();
  library('cluster worker, later', fresh.worker.process.pid);
  expect('cluster: right answers after that', await clients(port, ['e', 'f'], agent()), 2 * REQUESTS);
  await new Promise((resolve) => cluster.disconnect(resolve));
}

async function runThreads() {
  const answers = await Promise.all(
    Array.from({ length: 4 }, async (_, name) => {
      const worker = new Worker(__filename, { workerData: { name } });
      const [[message], [status]] = await Promise.all([events.once(worker, 'message'), events.once(worker, 'exit')]);
      return { ...message, status };
    }),
  );
  expect(
    'threads: right answers',
    answers.map(({ right, status }) => [right, status]),
    Array(4).fill([2 * REQUESTS, 0]),
  );
  expect('threads: one library for all', new Set(answers.map(({ paths }) => String(paths))).size, 1);
  // Threads that are stopped in the middle of their work leave the process whole.
  for (let i = 0; i < 5; i++) {
    const worker = new Worker(__filename, { workerData: { name: `stopped ${i}`, endless: true } });
    await events.once(worker, 'message');
    await worker.terminate();
  }
  const server = serve();
  expect(
    'threads: the main thread, afterwards',
    await clients(await listen(server), ['main'], new http.Agent({ keepAlive: true })),
    REQUESTS,
  );
  server.close();
  server.closeAllConnections();
}

async function runThread() {
  const server = serve();
  const port = await listen(server);
  const agent = new http.Agent({ keepAlive: true });
  if (workerData.endless) {
    parentPort.postMessage('begun');
    for (;;) await clients(port, ['a', 'b'], agent);
  }
  const right = await clients(port, ['a', 'b'], agent);
  parentPort.postMessage({ right, paths: mapped() });
  agent.destroy();
  server.close();
}

(async () => {
  if (!isMainThread) {
    await runThread();
  } else if (cluster.isWorker) {
    serve(() => process.send('request')).listen(0, '127.0.0.1');
  } else {
    await runCluster();
    await runThreads();
    library('threads');
    process.exit();
  }
})();
