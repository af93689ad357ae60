// Replays llhttp's conformance vectors: with callbacks, which show the parser's state at every event, and as returned
// events; in one piece, and in pieces of several sizes. tests/vectors/convert makes the file and describes it;
// LLHTTP_VECTORS_FILE names it.
'use strict';

const assert = require('node:assert/strict');
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { HTTPParser, HTTPParserError, ERRNO, METHODS } = require('llhttpgo');
const { EVENTS } = require('../lib/tables_gen.js');

const file = process.env.LLHTTP_VECTORS_FILE ?? path.join(__dirname, '../../../build/vectors.txt');

// Event names by those of llhttp's callbacks: on_header_field is headerField.
function camel(name) {
  return name.replace(/^on_/, '').replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

const IS_SPAN = new Map(EVENTS.map(({ name, span }) => [name, span]));

function readVectors(text) {
  const vectors = [];
  let vector;
  for (const line of text.split('\n').filter(Boolean)) {
    const [word, ...fields] = line.split(' ');
    const rest = line.slice(word.length + 1);
    // A text that may be absent stands last: "-", or "=" and the text.
    const textAfter = (count) => {
      const found = fields.slice(count).join(' ');
      return found === '-' ? null : found.slice(1);
    };
    const result = (from) => ({
      errno: ERRNO[fields[from]] ?? Number(fields[from]),
      offset: fields[from + 1] === '-' ? null : Number(fields[from + 1]),
      reason: textAfter(from + 2),
    });
    switch (word) {
      case 'vector':
        vector = {
          name: rest,
          type: 0,
          lenient: [],
          actions: {},
          resumeUpgrade: false,
          wholeOnly: false,
          tail: null,
          events: [],
          finishEvents: null,
        };
        vectors.push(vector);
        break;
      case 'type':
        vector.type = Number(rest);
        break;
      case 'lenient':
        vector.lenient.push(camel(rest));
        break;
      case 'action':
        vector.actions[camel(fields[0])] = { each: fields[1] === 'each', values: fields.slice(2).map(Number) };
        break;
      case 'resume-upgrade':
        vector.resumeUpgrade = true;
        break;
      case 'except':
        if (fields[0] === 'whole') vector.wholeOnly = true;
        else vector.tail = camel(fields[1]);
        break;
      case 'input':
        vector.input = Buffer.from(rest === '-' ? '' : rest, 'hex');
        break;
      case 'span':
        (vector.finishEvents ?? vector.events).push({
          type: camel(fields[0]),
          offset: Number(fields[1]),
          length: Number(fields[2]),
        });
        break;
      case 'notify':
        (vector.finishEvents ?? vector.events).push({ type: camel(fields[0]), state: fields.slice(1).join(' ') });
        break;
      case 'pause':
      case 'upgrade':
        vector.events.push({ type: word, offset: Number(fields[0]), reason: textAfter(1) });
        break;
      case 'result':
        vector.result = result(0);
        break;
      case 'fields':
        vector.state = fields.slice(0, 10).join(' ');
        break; // the last is not visible here
      case 'finish':
        vector.finishEvents = [];
        break;
      case 'finished':
        vector.finished = { errno: ERRNO[fields[0]] ?? Number(fields[0]), after: result(1) };
        break;
      case 'pos':
      case 'end':
        break;
      default:
        assert.fail(`unknown line: ${line}`);
    }
  }
  return vectors;
}

// The fields of a notify line. Where the parser says null, llhttp has a value without meaning: it is taken from what
// is expected.
function state(parser, expected) {
  const [, method, , , status] = expected.split(' ');
  return [
    parser.type,
    parser.method === null ? method : METHODS.indexOf(parser.method),
    parser.httpMajor,
    parser.httpMinor,
    parser.statusCode ?? status,
    parser.flags,
    parser.contentLength,
    Number(parser.upgrade),
    Number(parser.shouldKeepAlive),
    Number(parser.messageNeedsEof),
  ].join(' ');
}

// Runs execute or finish: the errno, and the events if it returns some.
function attempt(parser, call) {
  try {
    return { errno: ERRNO.HPE_OK, events: call(), code: parser.code };
  } catch (error) {
    if (!(error instanceof HTTPParserError)) throw error;
    return { errno: error.errno, events: error.events, code: error.code };
  }
}

// What a vector shows when its input comes in pieces.
function replay(vector, size, withCallbacks) {
  const events = [];
  const calls = {};
  let start = 0; // of what is being executed
  let expected = vector.events;
  const act = (type) => {
    const action = vector.actions[type];
    const count = (calls[type] = (calls[type] ?? 0) + 1);
    if (action === undefined) return 0;
    return action.each ? action.values[0] : (action.values[count - 1] ?? 0);
  };
  const callbacks = Object.fromEntries(
    EVENTS.map(({ name, callback, span }) => [
      callback,
      span
        ? (data, offset) => {
            events.push({ type: name, offset: start + offset, length: data.length });
            return data.length === 0 ? 0 : act(name);
          }
        : (...values) => {
            const parser = values.at(-1);
            // In pieces there are more events: the place of a notification is counted among its like.
            const like = expected.filter(({ type }) => type === name)[
              events.filter(({ type }) => type === name).length - before(name)
            ];
            events.push({ type: name, state: state(parser, like?.state ?? '') });
            return act(name);
          },
    ]),
  );
  let finishing = 0; // events before finish
  const before = (name) =>
    finishing === 0 ? 0 : events.slice(0, finishing).filter(({ type }) => type === name).length;
  const parser = new HTTPParser(vector.type, { lenient: vector.lenient, ...(withCallbacks ? { callbacks } : {}) });
  const note = (found) => {
    for (const { type, offset, length } of withCallbacks ? [] : found) {
      events.push(length === undefined ? { type } : { type, offset: start + offset, length });
    }
  };

  let last = { errno: ERRNO.HPE_OK, code: 'HPE_OK' };
  let offset = null;
  for (let from = 0; from < vector.input.length && last.code === 'HPE_OK'; from += size) {
    let rest = vector.input.subarray(from, from + size);
    start = from;
    for (;;) {
      last = attempt(parser, () => parser.execute(rest));
      note(last.events);
      if (last.code === 'HPE_OK') break;
      start += parser.bytesParsed;
      offset = start;
      if (last.code === 'HPE_PAUSED') {
        events.push({ type: 'pause', offset, reason: parser.reason });
        parser.resume();
      } else if (last.code === 'HPE_PAUSED_UPGRADE' && vector.resumeUpgrade) {
        events.push({ type: 'upgrade', offset, reason: parser.reason });
        parser.resumeAfterUpgrade();
      } else {
        break;
      }
      ({ rest } = parser);
    }
  }
  const errno = ERRNO[last.code] ?? last.errno;
  const shown = { events, result: { errno, offset, reason: parser.reason }, state: state(parser, vector.state) };
  if (vector.finishEvents === null) return shown;
  finishing = events.length;
  expected = vector.finishEvents;
  start = vector.input.length;
  const finished = attempt(parser, () => parser.finish());
  note(finished.events);
  return {
    ...shown,
    events: events.slice(0, finishing),
    finishEvents: events.slice(finishing),
    finished: finished.errno,
  };
}

function merge(events) {
  const merged = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (IS_SPAN.get(event.type) && last?.type === event.type && last.offset + last.length === event.offset) {
      merged[merged.length - 1] = { ...last, length: last.length + event.length };
    } else {
      merged.push(event);
    }
  }
  return merged;
}

// An error inside a span: in pieces, what lay before the last cut has been delivered.
function dropTail(vector, events, size) {
  const last = events.at(-1);
  if (vector.tail === null || events.length !== merge(vector.events).length + 1 || last.type !== vector.tail)
    return events;
  const end = last.offset + last.length;
  return end % size === 0 && end <= vector.result.offset ? events.slice(0, -1) : events;
}

function withoutState(events) {
  return events.map((event) => ('state' in event ? { type: event.type } : event));
}

// llhttp_finish returns what onMessageComplete returns. Here a pause is not thrown, and anything else is that
// callback's error.
function thrownByFinish(errno) {
  if ([ERRNO.HPE_OK, ERRNO.HPE_PAUSED].includes(errno)) return ERRNO.HPE_OK;
  return errno === ERRNO.HPE_INVALID_EOF_STATE ? errno : ERRNO.HPE_CB_MESSAGE_COMPLETE;
}

function check(vector, size, withCallbacks) {
  const shown = replay(vector, size, withCallbacks);
  const whole = size >= vector.input.length;
  let found = whole ? shown.events : dropTail(vector, merge(shown.events), size);
  let wanted = whole ? vector.events : merge(vector.events);
  if (!withCallbacks) wanted = withoutState(wanted);
  assert.deepEqual(found, wanted);
  assert.deepEqual(shown.result, vector.result);
  assert.equal(shown.state, vector.state);
  if (vector.finishEvents !== null) {
    assert.deepEqual(shown.finishEvents, withCallbacks ? vector.finishEvents : withoutState(vector.finishEvents));
    assert.equal(shown.finished, thrownByFinish(vector.finished.errno));
  }
}

if (!existsSync(file)) {
  test('vectors', { skip: `there is no ${file}: make it with go run ./tests/vectors/convert` }, () => {});
} else {
  const vectors = readVectors(readFileSync(file, 'latin1'));
  for (const withCallbacks of [true, false]) {
    // Without callbacks there is nobody to act.
    const chosen = vectors.filter(({ actions }) => withCallbacks || Object.keys(actions).length === 0);
    for (const size of [Infinity, 1, 2, 3, 7, 16]) {
      test(`vectors, ${withCallbacks ? 'with callbacks' : 'as events'}, in pieces of ${size}`, () => {
        const failures = [];
        let count = 0;
        for (const vector of chosen) {
          if (vector.wholeOnly && size !== Infinity) continue;
          count++;
          try {
            check(vector, Math.min(size, Math.max(vector.input.length, 1)), withCallbacks);
          } catch (error) {
            failures.push(`${vector.name}: ${error.stack}`);
          }
        }
        assert.ok(count > 300, `${count} vectors`);
        assert.equal(
          failures.length,
          0,
          `${failures.length} of ${count} failed, such as\n${failures.slice(0, 3).join('\n')}`,
        );
      });
    }
  }
}
