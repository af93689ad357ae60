// Prints samples of parsers for Node: JSON, one object {name: nanoseconds per request} for each round.
//
//     node_parsers.js INPUT ROUNDS PACKAGE PEERS
//
// INPUT is a file with one request, PACKAGE the folder of this project's package, PEERS one that has http-parser-js in
// node_modules. Each parser makes an array of the names and values of all fields.
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const [input, rounds, folder, peers] = process.argv.slice(2);
const { HTTPParser, MessageParser } = require(path.resolve(folder));
const { HTTPParser: InJavaScript } = require(path.join(path.resolve(peers), 'node_modules', 'http-parser-js'));
const { HTTPParser: Internal } = process.binding('http_parser');

const SAMPLE = 1_000_000n; // nanoseconds

// Node's internal parser, and one with the same interface.
function asInNode(Parser) {
  const parser = new Parser(Parser.REQUEST);
  let headers;
  void Parser.kOnExecute; // http-parser-js has the interface of today for those who ask for this
  if (parser.initialize) parser.initialize(Parser.REQUEST, {});
  parser[Parser.kOnHeadersComplete] = (major, minor, fields) => {
    headers = fields;
    return 0;
  };
  parser[Parser.kOnBody] = () => {};
  parser[Parser.kOnMessageComplete] = () => {};
  return (data) => {
    const result = parser.execute(data, 0, data.length);
    if (result instanceof Error) throw result;
    return headers;
  };
}

function withMessages() {
  const parser = new MessageParser(HTTPParser.REQUEST);
  return (data) => {
    let headers;
    for (const event of parser.execute(data)) if (event.type === 'head') headers = event.headers;
    return headers;
  };
}

function withEvents() {
  const events = ['headerField', 'headerValue', 'headersComplete', 'messageComplete'];
  const parser = new HTTPParser(HTTPParser.REQUEST, { events });
  return (data) => {
    const headers = [];
    for (const event of parser.execute(data)) if (event.length !== undefined) headers.push(event.toString());
    return headers;
  };
}

const data = readFileSync(input);
const parsers = new Map([
  ['internal', asInNode(Internal)],
  ['http-parser-js', asInNode(InJavaScript)],
  ['MessageParser', withMessages()],
  ['HTTPParser', withEvents()],
]);
const wanted = JSON.stringify(parsers.get('internal')(data));
const counts = new Map();
for (const [name, parse] of parsers) {
  const answer = JSON.stringify(parse(data));
  if (answer !== wanted) throw new Error(`${name} gives another answer: ${answer}`);
  for (let i = 0; i < 20000; i++) parse(data);
  const begin = process.hrtime.bigint();
  for (let i = 0; i < 20000; i++) parse(data);
  counts.set(name, Number((SAMPLE * 20000n) / (process.hrtime.bigint() - begin)) || 1);
}
const names = [...parsers.keys()];
for (let round = 0; round < Number(rounds); round++) {
  names.sort(() => Math.random() - 0.5);
  const sample = {};
  for (const name of names) {
    const parse = parsers.get(name);
    const count = counts.get(name);
    const begin = process.hrtime.bigint();
    for (let i = 0; i < count; i++) parse(data);
    sample[name] = Number(process.hrtime.bigint() - begin) / count;
  }
  console.log(JSON.stringify(sample));
}
