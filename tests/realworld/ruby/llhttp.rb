# ruby-llhttp: requests and responses with every callback of its delegate, then every case of tests/cases, whole and
# byte by byte.
# node/common.js says what is printed.
#
#   llhttp.rb CASES_FILE
#
# Debian links this extension with libllhttp.so.9.4, but it also has a copy of llhttp inside, and symbols of its own
# come first. The library takes part only if LD_PRELOAD names it.
require "json"
require "base64"
require "llhttp"

$status = 0

def fact(name, value)
  puts JSON.generate({"fact" => name, "value" => value})
end

def expect(name, value, wanted)
  fact(name, value)
  return if value == wanted
  warn "#{name}: got\n  #{value.inspect}\nwant\n  #{wanted.inspect}"
  $status = 1
end

class Recorder < LLHttp::Delegate
  attr_reader :events

  def initialize
    @events = []
  end

  def add(name, *values)
    @events << [name, *values.map { |v| v.is_a?(String) ? v.dup.force_encoding("ISO-8859-1").encode("UTF-8") : v }]
  end

  %i[on_message_begin on_message_complete on_chunk_header on_chunk_complete on_url_complete on_status_complete
    on_header_field_complete on_header_value_complete].each do |name|
    define_method(name) { add(name) }
  end
  %i[on_url on_status on_header_field on_header_value on_body].each do |name|
    define_method(name) { |bytes| add(name, bytes) }
  end

  attr_writer :parser

  def on_headers_complete
    add(:on_headers_complete, @parser.http_major, @parser.http_minor, @parser.content_length, @parser.keep_alive?)
    add(:method, @parser.method_name) if @parser.type == :request
    add(:status, @parser.status_code) if @parser.type == :response
  end
end

# All that the parser says of bytes, given in pieces.
def parsed(type, pieces)
  recorder = Recorder.new
  parser = LLHttp::Parser.new(recorder, type: type)
  recorder.parser = parser
  begin
    pieces.each { |piece| parser << piece }
    parser.finish
  rescue LLHttp::Error => error
    recorder.add(:error, error.class.name, error.message)
  end
  recorder.events
end

def joined(events)
  # Spans that lie beside each other are one; cuts of the input make several.
  events.each_with_object([]) do |event, list|
    if list.last && list.last[0] == event[0] && event[1].is_a?(String)
      list.last[1] += event[1]
    else
      list << event.dup
    end
  end
end

request = "POST /path?q HTTP/1.1\r\nHost: h\r\nX: \t padded \r\nTransfer-Encoding: chunked\r\n\r\n" \
  "5;a=b\r\nhello\r\n0\r\nT: v\r\n\r\n"
events = parsed(:request, [request])
expect "request", events, [
  [:on_message_begin], [:on_url, "/path?q"], [:on_url_complete],
  [:on_header_field, "Host"], [:on_header_field_complete], [:on_header_value, "h"], [:on_header_value_complete],
  [:on_header_field, "X"], [:on_header_field_complete], [:on_header_value, "padded "], [:on_header_value_complete],
  [:on_header_field, "Transfer-Encoding"], [:on_header_field_complete],
  [:on_header_value, "chunked"], [:on_header_value_complete],
  [:on_headers_complete, 1, 1, 0, true], [:method, "POST"],
  [:on_chunk_header], [:on_body, "hello"], [:on_chunk_complete], [:on_chunk_header],
  [:on_header_field, "T"], [:on_header_field_complete], [:on_header_value, "v"], [:on_header_value_complete],
  [:on_chunk_complete], [:on_message_complete],
]
expect "request, byte by byte", joined(parsed(:request, request.chars)), joined(events)
response = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
expect "response", parsed(:response, [response]), [
  [:on_message_begin], [:on_status, "Not Found"], [:on_status_complete],
  [:on_header_field, "Content-Length"], [:on_header_field_complete],
  [:on_header_value, "4"], [:on_header_value_complete],
  [:on_header_field, "Connection"], [:on_header_field_complete],
  [:on_header_value, "close"], [:on_header_value_complete],
  [:on_headers_complete, 1, 1, 4, false], [:status, 404], [:on_body, "body"], [:on_message_complete],
]
expect "error", parsed(:request, ["GET / HTTP/1.1\r\nBad Name: x\r\n\r\n"]).last,
  [:error, "LLHttp::Error", "Error Parsing data: HPE_INVALID_HEADER_TOKEN Invalid header token"]

# A parser that is used again, and many at a time.
recorder = Recorder.new
parser = LLHttp::Parser.new(recorder, type: :request)
recorder.parser = parser
3.times do
  parser << request
  parser.reset
end
expect "one parser, three requests", recorder.events, events * 3
bytewise = parsed(:request, request.chars)
threads = Array.new(4) { Thread.new { Array.new(200) { parsed(:request, request.chars) == bytewise }.all? } }
expect "threads", threads.map(&:value), [true] * 4
children = Array.new(3) { fork { exit!(parsed(:request, [request]) == events ? 0 : 1) } }
expect "forked children", children.map { |pid| Process.wait2(pid)[1].exitstatus }, [0] * 3

File.foreach(ARGV[0]) do |line|
  c = JSON.parse(line)
  bytes = Base64.decode64(c["input"])
  type = c["type"].to_sym
  fact c["name"], parsed(type, [bytes])
  fact "#{c["name"]}: byte by byte", parsed(type, bytes.each_char.to_a)
end
paths = File.read("/proc/self/maps").scan(/\/\S*libllhttp\.so\S*/).uniq.sort
puts JSON.generate({"library" => "ruby", "paths" => paths})
exit $status
