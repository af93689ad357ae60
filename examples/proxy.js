#!/usr/bin/env node
// A small reverse proxy on node:net and the addon llhttpgo: each request goes to one origin server on a connection of
// its own, and its response comes back.
//
//     npm install --no-save --omit=dev ./bindings/node
//     examples/proxy.js PORT ORIGIN_PORT
//
// What must hold: no byte of a message's frame is passed on as it came. Start-line and fields are written anew from
// what the parser has understood, and bodies are framed anew; so origin and client cannot read another message than
// the proxy has (RFC 9112, Section 11.2).
'use strict';

const net = require('node:net');
const { STATUS_CODES } = require('node:http');
const { HTTPParser, HTTPParserError, FLAGS } = require('llhttpgo');

const MAX_HEAD = 65536; // bytes of target and field lines
const EVENTS = ['url', 'status', 'headerField', 'headerValue', 'headerValueComplete', 'headersComplete', 'body',
  'messageComplete'];
// Fields that are for the next hop alone (RFC 9110, Section 7.6.1), and those that frame the message.
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade',
  'content-length', 'expect'];

// Puts a message's head together from the events of a parser.
class Head {
  line = ''; // target or reason phrase
  fields = [];
  info = null; // the event headersComplete
  #name = '';
  #value = '';
  #size = 0;

  // Returns false if the head is too large.
  add(event) {
    switch (event.type) {
      case 'url':
      case 'status':
        this.line += event;
        break;
      case 'headerField':
        this.#name += event;
        break;
      case 'headerValue':
        this.#value += event;
        break;
      case 'headerValueComplete': // behind the body these are trailers, which are not passed on
        if (this.info === null) this.fields.push([this.#name, this.#value]);
        this.#name = this.#value = '';
        break;
      case 'headersComplete':
        this.info = event;
    }
    if (event.type !== 'body') this.#size += event.length ?? 0;
    return this.#size <= MAX_HEAD;
  }

  values(name) {
    return this.fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  }

  // The fields that go on, as text.
  endToEnd() {
    const named = this.values('connection').join(',').toLowerCase().split(',').map((name) => name.trim());
    const dropped = new Set([...HOP_BY_HOP, ...named]);
    return this.fields
      .filter(([name]) => !dropped.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  lengthField() {
    return (this.info.flags & FLAGS.CONTENT_LENGTH) !== 0 ? `Content-Length: ${this.info.contentLength}\r\n` : '';
  }

  // Whether there is a transfer coding besides chunked: the body cannot be passed on without it.
  get encoded() {
    const codings = this.values('transfer-encoding').join(',').trim().toLowerCase();
    return codings !== '' && codings !== 'chunked';
  }

  get chunked() {
    return (this.info.flags & FLAGS.CHUNKED) !== 0;
  }
}

const latin1 = (text) => Buffer.from(text, 'latin1');
const chunk = (data) => Buffer.concat([latin1(`${data.length.toString(16)}\r\n`), data, latin1('\r\n')]);

// One request and its response.
class Exchange {
  #client; // the Connection
  #request;
  #response = new Head();
  #origin;
  #parser;
  #chunked = false; // how the response's body is framed for the client
  #started = false; // the response's head has gone to the client
  done = false;

  constructor(client, request, port) {
    this.#client = client;
    this.#request = request;
    this.#parser = new HTTPParser(HTTPParser.RESPONSE, {
      events: EVENTS,
      // The parser cannot know that there is no body: only we know what was asked.
      callbacks: { onHeadersComplete: () => (request.info.method === 'HEAD' ? 1 : 0) },
    });
    this.#origin = net.connect(port, '127.0.0.1');
    this.#origin.on('data', (data) => this.#parse(() => this.#parser.execute(data)));
    this.#origin.on('end', () => this.#parse(() => this.#parser.finish()));
    this.#origin.on('error', () => this.#fail());
    this.#origin.on('close', () => this.#fail());
    this.#origin.on('drain', () => client.goOn());
    const { info } = request;
    const frame = request.chunked ? 'Transfer-Encoding: chunked\r\n' : request.lengthField();
    this.#send(latin1(`${info.method} ${request.line} HTTP/1.1\r\n${request.endToEnd()}${frame}` +
      `Via: ${info.httpMajor}.${info.httpMinor} proxy\r\nConnection: close\r\n\r\n`));
  }

  // Body of the request; null is its end.
  sendBody(data) {
    if (this.done) return;
    if (!this.#request.chunked && data !== null) this.#send(data);
    if (this.#request.chunked) this.#send(data === null ? latin1('0\r\n\r\n') : chunk(data));
  }

  abort() {
    this.done = true;
    this.#origin.destroy();
  }

  resume() {
    this.#origin.resume();
  }

  #send(data) {
    if (!this.#origin.write(data)) this.#client.socket.pause();
  }

  #parse(step) {
    let events;
    let failed = false;
    try {
      events = step();
    } catch (error) {
      if (!(error instanceof HTTPParserError)) throw error;
      ({ events } = error);
      failed = true;
    }
    for (const event of events) {
      if (this.done) return;
      if (!this.#response.add(event)) failed = true;
      else if (event.type === 'headersComplete') this.#onHead(event);
      else if (event.type === 'body') this.#write(this.#chunked ? chunk(event.data) : event.data);
      else if (event.type === 'messageComplete') this.#onComplete(event);
    }
    if (failed) this.#fail();
  }

  #onHead(info) {
    const { statusCode } = info;
    const response = this.#response;
    if (statusCode < 200) return; // what is interim is for this hop; see #onComplete
    if (response.encoded) {
      this.#fail();
      return;
    }
    const old = this.#request.info.httpMinor === 0;
    const bodiless = this.#request.info.method === 'HEAD' || statusCode === 204 || statusCode === 304;
    const hasLength = response.lengthField() !== '';
    this.#chunked = !bodiless && !hasLength && !old;
    // To a client of HTTP/1.0 the end of the connection is the end of a body of unknown length.
    if (!bodiless && !hasLength && old) this.#client.keepAlive = false;
    const frame = this.#chunked ? 'Transfer-Encoding: chunked\r\n' : response.lengthField();
    this.#write(latin1(`HTTP/1.1 ${statusCode} ${response.line}\r\n${response.endToEnd()}` +
      `${frame}Via: 1.1 proxy\r\n${this.#client.connectionField()}\r\n`));
    this.#started = true;
  }

  #onComplete(event) {
    if (this.#response.info.statusCode < 200) {
      this.#response = new Head(); // the response proper follows
      return;
    }
    if (event.upgrade || this.#response.info.statusCode === 101) return this.#fail();
    if (this.#chunked) this.#write(latin1('0\r\n\r\n'));
    this.abort();
    this.#client.onAnswered();
  }

  #write(data) {
    if (!this.#client.socket.write(data)) this.#origin.pause();
  }

  // A response that has begun cannot be taken back: the client sees that it is cut off.
  #fail() {
    if (this.done) return;
    this.abort();
    if (this.#started) this.#client.socket.destroy();
    else this.#client.refuse(502);
  }
}

class Connection {
  keepAlive = true;
  #port;
  #exchange = null;
  #request = new Head();
  #complete = false; // the request under way is
  #ended = false; // the client sends no more
  // One request at a time: those behind it wait until its response is written.
  #parser = new HTTPParser(HTTPParser.REQUEST, {
    events: EVENTS,
    callbacks: { onMessageComplete: (info, parser) => parser.pause() },
  });

  constructor(socket, port) {
    this.socket = socket;
    this.#port = port;
    socket.on('data', (data) => this.#parse(data));
    socket.on('drain', () => this.#exchange?.resume());
    socket.on('end', () => this.#onEnd());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#exchange?.abort());
  }

  // The client's bytes may come again, unless its next request has to wait.
  goOn() {
    if (!this.#complete) this.socket.resume();
  }

  #onEnd() {
    this.#ended = true;
    if (this.#exchange === null) this.socket.end();
    else if (!this.#complete) this.socket.destroy(); // its request is cut off
  }

  connectionField() {
    return this.keepAlive ? '' : 'Connection: close\r\n';
  }

  #parse(data) {
    if (this.socket.writableEnded) return;
    let failure = null;
    let events;
    try {
      events = this.#parser.execute(data);
    } catch (error) {
      if (!(error instanceof HTTPParserError)) throw error;
      failure = error;
      ({ events } = error);
    }
    for (const event of events) {
      if (!this.#request.add(event)) return this.refuse(431);
      if (event.type === 'headersComplete') this.#onHead(event);
      else if (event.type === 'body') this.#exchange?.sendBody(event.data);
      else if (event.type === 'messageComplete') this.#onComplete();
      if (this.socket.writableEnded) return;
    }
    if (failure !== null) this.refuse(failure.code === 'HPE_INVALID_METHOD' ? 501 : 400);
    else if (this.#parser.code === 'HPE_PAUSED') this.socket.pause();
    else if (this.#parser.code === 'HPE_PAUSED_H2_UPGRADE') this.refuse(505);
    else if (this.#parser.code === 'HPE_PAUSED_UPGRADE') {
      const { rest } = this.#parser; // declined: the request has been passed on without its Upgrade
      this.#parser.resumeAfterUpgrade();
      this.#parse(rest);
    }
  }

  #onHead(info) {
    const request = this.#request;
    this.keepAlive = info.shouldKeepAlive;
    if (info.httpMajor !== 1) this.refuse(505);
    else if (info.method === 'CONNECT') this.refuse(501);
    else if (info.httpMinor > 0 && request.values('host').length !== 1) this.refuse(400);
    else if (request.encoded) this.refuse(501);
    else {
      if (request.values('expect').length > 0 && info.httpMinor > 0) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      this.#exchange = new Exchange(this, request, this.#port);
    }
  }

  #onComplete() {
    this.#complete = true;
    if (this.#exchange?.done) this.#next();
    else this.#exchange?.sendBody(null);
  }

  // The response is written. Its request may still be coming: then the next one begins behind it.
  onAnswered() {
    if (this.#complete) this.#next();
  }

  #next() {
    if (!this.keepAlive) return this.socket.end();
    this.#exchange = null;
    this.#request = new Head();
    this.#complete = false;
    // Not from inside of execute.
    return setImmediate(() => {
      if (this.socket.destroyed) return;
      this.#parser.resume();
      this.socket.resume();
      this.#parse(this.#parser.rest);
      if (this.#ended && this.#exchange === null) this.socket.end();
    });
  }

  refuse(status) {
    if (this.socket.writableEnded) return;
    this.#exchange?.abort();
    this.keepAlive = false;
    const text = STATUS_CODES[status];
    this.socket.end(`HTTP/1.1 ${status} ${text}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`);
    this.socket.resume();
  }
}

const [port, originPort] = process.argv.slice(2).map(Number);
const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => new Connection(socket, originPort));
server.listen(port, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/`);
});
