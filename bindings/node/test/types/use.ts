// The package in a CommonJS module.
import llhttpgo = require('llhttpgo');
import { HTTPParser } from 'llhttpgo';

const parser: HTTPParser = new llhttpgo.HTTPParser(HTTPParser.RESPONSE);
const events: llhttpgo.HTTPEvent[] = parser.execute(Buffer.alloc(0));
export = events;
