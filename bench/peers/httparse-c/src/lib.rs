//! httparse behind a C ABI, for bench/peer_heads.c. The caller lends the room for the headers, so that none is cleared for
//! each message.

use httparse::{Header, ParserConfig, Request, Response, Status};
use std::ffi::c_void;
use std::hint::black_box;
use std::mem::{size_of, MaybeUninit};
use std::slice::{from_raw_parts, from_raw_parts_mut};

type Room = MaybeUninit<Header<'static>>;
/// Called with a span's kind, as in bench.h, and the span.
type Emit = extern "C" fn(*mut c_void, i32, *const u8, usize);

const METHOD: i32 = 0;
const TARGET: i32 = 1;
const STATUS: i32 = 2;
const NAME: i32 = 3;
const VALUE: i32 = 4;

#[no_mangle]
pub extern "C" fn bench_httparse_header_size() -> usize {
    size_of::<Header>()
}

/// The length of the head, or -1.
///
/// # Safety
/// `data` has `size` bytes, `room` has room for `count` headers.
#[no_mangle]
pub unsafe extern "C" fn bench_httparse_request(data: *const u8, size: usize, room: *mut Room, count: usize) -> isize {
    let mut request = Request::new(&mut []);
    let status = ParserConfig::default().parse_request_with_uninit_headers(
        &mut request,
        from_raw_parts(data, size),
        from_raw_parts_mut(room, count),
    );
    black_box(&request);
    match status {
        Ok(Status::Complete(length)) => length as isize,
        _ => -1,
    }
}

/// The same for a response.
///
/// # Safety
/// As above.
#[no_mangle]
pub unsafe extern "C" fn bench_httparse_response(data: *const u8, size: usize, room: *mut Room, count: usize) -> isize {
    let mut response = Response::new(&mut []);
    let status = ParserConfig::default().parse_response_with_uninit_headers(
        &mut response,
        from_raw_parts(data, size),
        from_raw_parts_mut(room, count),
    );
    black_box(&response);
    match status {
        Ok(Status::Complete(length)) => length as isize,
        _ => -1,
    }
}

/// The spans of a head, for comparison. 0, or -1.
///
/// # Safety
/// As above.
#[no_mangle]
pub unsafe extern "C" fn bench_httparse_spans(
    data: *const u8,
    size: usize,
    response: i32,
    emit: Emit,
    context: *mut c_void,
) -> i32 {
    let bytes = from_raw_parts(data, size);
    let mut room = vec![httparse::EMPTY_HEADER; 4096];
    let say = |kind: i32, span: &[u8]| emit(context, kind, span.as_ptr(), span.len());
    let fields = |headers: &[Header]| {
        for header in headers {
            say(NAME, header.name.as_bytes());
            say(VALUE, header.value);
        }
    };
    if response != 0 {
        let mut parsed = Response::new(&mut room);
        let Ok(Status::Complete(_)) = parsed.parse(bytes) else { return -1 };
        say(STATUS, parsed.reason.unwrap_or("").as_bytes());
        fields(parsed.headers);
    } else {
        let mut parsed = Request::new(&mut room);
        let Ok(Status::Complete(_)) = parsed.parse(bytes) else { return -1 };
        say(METHOD, parsed.method.unwrap_or("").as_bytes());
        say(TARGET, parsed.path.unwrap_or("").as_bytes());
        fields(parsed.headers);
    }
    0
}
