// Command capi is llhttp's C ABI in front of the parser core; built with -buildmode=c-archive or c-shared.
//
// driver.c calls the parser. In the library that build.sh makes it does so directly (LLHTTP_DIRECT), and
// nothing of this file runs; otherwise through the export below.
package main

// #include "frame.h"
// #include "http_parser.h"
// #include "llhttp_ext.h"
// #include "tape.h"
import "C"

import (
	"unsafe"

	"llhttpgo/core"
	"llhttpgo/core/asm"
)

// llhttp_core_step_cgo is [core.Step] for C, at the price of entering the Go runtime: once per batch.
//
//export llhttp_core_step_cgo
func llhttp_core_step_cgo(frame *C.struct_llhttp_frame) {
	core.Step((*core.Frame)(unsafe.Pointer(frame)))
}

// The others likewise, for capi/*.c: entry.h declares them all.

//export llhttp_core_head_parse_cgo
func llhttp_core_head_parse_cgo(head *C.llhttp_ext_head_t, data *C.char, n C.size_t) C.intptr_t {
	return C.intptr_t(core.HeadParse((*core.Head)(unsafe.Pointer(head)), uintptr(unsafe.Pointer(data)), uintptr(n)))
}

//export llhttp_core_head_find_cgo
func llhttp_core_head_find_cgo(head *C.llhttp_ext_head_t, data, name *C.char, n C.size_t) C.intptr_t {
	return C.intptr_t(core.HeadFind((*core.Head)(unsafe.Pointer(head)), uintptr(unsafe.Pointer(data)), uintptr(unsafe.Pointer(name)), uintptr(n)))
}

//export llhttp_core_head_memory_cgo
func llhttp_core_head_memory_cgo(head *C.llhttp_ext_head_t, memory *C.char, fields C.size_t) {
	core.SetMemory((*core.Head)(unsafe.Pointer(head)), uintptr(unsafe.Pointer(memory)), uintptr(fields))
}

//export llhttp_core_run_tape_cgo
func llhttp_core_run_tape_cgo(tape *C.struct_llhttp_tape) {
	core.RunTape((*core.Tape)(unsafe.Pointer(tape)))
}

//export llhttp_core_list_next_cgo
func llhttp_core_list_next_cgo(list *C.llhttp_ext_list_t) C.intptr_t {
	return C.intptr_t(core.ListNext((*core.List)(unsafe.Pointer(list))))
}

//export llhttp_core_parameters_next_cgo
func llhttp_core_parameters_next_cgo(parameters *C.llhttp_ext_parameters_t) C.intptr_t {
	return C.intptr_t(core.ParametersNext((*core.Parameters)(unsafe.Pointer(parameters))))
}

//export llhttp_core_has_token_cgo
func llhttp_core_has_token_cgo(value *C.char, length C.size_t, token *C.char, tokenLength C.size_t) C.intptr_t {
	return C.intptr_t(core.HasToken(uintptr(unsafe.Pointer(value)), uintptr(length), uintptr(unsafe.Pointer(token)), uintptr(tokenLength)))
}

//export llhttp_core_content_lengths_cgo
func llhttp_core_content_lengths_cgo(value *C.char, length C.size_t, number *C.uint64_t) C.intptr_t {
	return C.intptr_t(core.ContentLengths(uintptr(unsafe.Pointer(value)), uintptr(length), (*uint64)(unsafe.Pointer(number))))
}

//export llhttp_core_parse_target_cgo
func llhttp_core_parse_target_cgo(target *C.char, length, connect C.size_t, result *C.llhttp_ext_target_t) C.intptr_t {
	return C.intptr_t(core.ParseTarget(uintptr(unsafe.Pointer(target)), uintptr(length), uintptr(connect), (*core.Target)(unsafe.Pointer(result))))
}

//export llhttp_core_parse_url_cgo
func llhttp_core_parse_url_cgo(url *C.char, length, connect C.size_t, result *C.struct_http_parser_url) C.intptr_t {
	return C.intptr_t(core.ParseURL(uintptr(unsafe.Pointer(url)), uintptr(length), uintptr(connect), (*core.URL)(unsafe.Pointer(result))))
}

// Indexing an array of one with the difference of two constants compiles only if they are equal.
var _ = [1]int{}[unsafe.Sizeof(core.Frame{})-unsafe.Sizeof(C.struct_llhttp_frame{})]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Pos)-unsafe.Offsetof(C.struct_llhttp_frame{}.pos)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Span)-unsafe.Offsetof(C.struct_llhttp_frame{}.span)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Private)-unsafe.Offsetof(C.struct_llhttp_frame{}.priv)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Public)-unsafe.Offsetof(C.struct_llhttp_frame{}.pub)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Top)-unsafe.Offsetof(C.struct_llhttp_frame{}.top)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Room)-unsafe.Offsetof(C.struct_llhttp_frame{}.room)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Limit)-unsafe.Offsetof(C.struct_llhttp_frame{}.limit)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Status)-unsafe.Offsetof(C.struct_llhttp_frame{}.status)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Reason)-unsafe.Offsetof(C.struct_llhttp_frame{}.reason)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Rules)-unsafe.Offsetof(C.struct_llhttp_frame{}.rules)]
var _ = [1]int{}[core.Lines-C.LLHTTP_FRAME_LINES]
var _ = [1]int{}[core.ByUnits-C.LLHTTP_FRAME_BY_UNITS]
var _ = [1]int{}[unsafe.Offsetof(core.Private{}.Open)-unsafe.Offsetof(C.struct_llhttp_private{}.open)]
var _ = [1]int{}[core.StateError-C.LLHTTP_STATE_ERROR]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.AtHeaders)-unsafe.Offsetof(C.struct_llhttp_frame{}.at_headers)]
var _ = [1]int{}[unsafe.Sizeof(core.Tape{})-unsafe.Sizeof(C.struct_llhttp_tape{})]
var _ = [1]int{}[unsafe.Offsetof(core.Tape{}.Top)-unsafe.Offsetof(C.struct_llhttp_tape{}.top)]
var _ = [1]int{}[unsafe.Offsetof(core.Tape{}.End)-unsafe.Offsetof(C.struct_llhttp_tape{}.end)]
var _ = [1]int{}[unsafe.Offsetof(core.Tape{}.Batch)-unsafe.Offsetof(C.struct_llhttp_tape{}.batch)]
var _ = [1]int{}[unsafe.Offsetof(core.Tape{}.Room)-unsafe.Offsetof(C.struct_llhttp_tape{}.room)]
var _ = [1]int{}[unsafe.Offsetof(core.Tape{}.Mask)-unsafe.Offsetof(C.struct_llhttp_tape{}.mask)]
var _ = [1]int{}[unsafe.Offsetof(core.Tape{}.Result)-unsafe.Offsetof(C.struct_llhttp_tape{}.result)]
var _ = [1]int{}[core.TapeStopped-C.LLHTTP_TAPE_STOPPED]
var _ = [1]int{}[core.TapeFull-C.LLHTTP_TAPE_FULL]
var _ = [1]int{}[core.TapeHeaders-C.LLHTTP_TAPE_HEADERS]
var _ = [1]int{}[unsafe.Sizeof(core.TapeEvent{})-unsafe.Sizeof(C.llhttp_ext_event_t{})]
var _ = [1]int{}[unsafe.Offsetof(core.TapeEvent{}.Value)-unsafe.Offsetof(C.llhttp_ext_event_t{}.value)]
var _ = [unsafe.Sizeof(C.llhttp_ext_head_t{})]int{}[unsafe.Sizeof(core.Head{})-1]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Fields)-unsafe.Offsetof(C.llhttp_ext_head_t{}.fields)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Infos)-unsafe.Offsetof(C.llhttp_ext_head_t{}.infos)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Size)-unsafe.Offsetof(C.llhttp_ext_head_t{}.size)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Count)-unsafe.Offsetof(C.llhttp_ext_head_t{}.count)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.ReasonLength)-unsafe.Offsetof(C.llhttp_ext_head_t{}.reason_length)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Public)-unsafe.Offsetof(C.llhttp_ext_head_t{}.content_length)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Body)-unsafe.Offsetof(C.llhttp_ext_head_t{}.body)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Reason)-unsafe.Offsetof(C.llhttp_ext_head_t{}._reason)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.Present)-unsafe.Offsetof(C.llhttp_ext_head_t{}.present)]
var _ = [1]int{}[unsafe.Offsetof(core.Head{}.First)-unsafe.Offsetof(C.llhttp_ext_head_t{}.first)]
var _ = [1]int{}[unsafe.Sizeof(core.FieldLine{})-unsafe.Sizeof(C.llhttp_ext_field_t{})]
var _ = [1]int{}[unsafe.Offsetof(core.FieldInfo{}.Next)-unsafe.Offsetof(C.llhttp_ext_field_info_t{}.next)]
var _ = [1]int{}[core.HeadIDs-C.LLHTTP_EXT_HEAD_IDS]
var _ = [1]int{}[core.HeadBase-C.LLHTTP_EXT_HEAD_BASE]
var _ = [1]int{}[core.HeadPerField-C.LLHTTP_EXT_HEAD_PER_FIELD]
var _ = [1]int{}[core.MostFields-C.LLHTTP_EXT_HEAD_MOST_FIELDS]
var _ = [1]int{}[core.HeadPartial-C.LLHTTP_EXT_HEAD_PARTIAL]
var _ = [1]int{}[core.HeadTooMany-C.LLHTTP_EXT_HEAD_TOO_MANY]
var _ = [1]int{}[core.BodyUpgrade-C.LLHTTP_EXT_BODY_UPGRADE]
var _ = [1]int{}[unsafe.Sizeof(core.List{})-unsafe.Sizeof(C.llhttp_ext_list_t{})]
var _ = [1]int{}[unsafe.Offsetof(core.List{}.Next)-unsafe.Offsetof(C.llhttp_ext_list_t{}.next)]
var _ = [1]int{}[unsafe.Offsetof(core.List{}.Size)-unsafe.Offsetof(C.llhttp_ext_list_t{}.size)]
var _ = [1]int{}[unsafe.Offsetof(core.List{}.Error)-unsafe.Offsetof(C.llhttp_ext_list_t{}._error)]
var _ = [1]int{}[unsafe.Sizeof(core.Parameters{})-unsafe.Sizeof(C.llhttp_ext_parameters_t{})]
var _ = [1]int{}[unsafe.Offsetof(core.Parameters{}.Next)-unsafe.Offsetof(C.llhttp_ext_parameters_t{}.next)]
var _ = [1]int{}[unsafe.Offsetof(core.Parameters{}.NameLength)-unsafe.Offsetof(C.llhttp_ext_parameters_t{}.name_length)]
var _ = [1]int{}[unsafe.Offsetof(core.Parameters{}.ValueLength)-unsafe.Offsetof(C.llhttp_ext_parameters_t{}.value_length)]
var _ = [1]int{}[unsafe.Offsetof(core.Parameters{}.Flags)-unsafe.Offsetof(C.llhttp_ext_parameters_t{}.flags)]
var _ = [1]int{}[unsafe.Offsetof(core.Parameters{}.Error)-unsafe.Offsetof(C.llhttp_ext_parameters_t{}._error)]
var _ = [1]int{}[core.ValueInvalid-C.LLHTTP_EXT_VALUE_INVALID]
var _ = [1]int{}[core.ValueUnterminated-C.LLHTTP_EXT_VALUE_UNTERMINATED]
var _ = [1]int{}[core.ValueTooLarge-C.LLHTTP_EXT_VALUE_TOO_LARGE]
var _ = [1]int{}[core.ValueDifferent-C.LLHTTP_EXT_VALUE_DIFFERENT]
var _ = [1]int{}[core.ParameterHasValue-C.LLHTTP_EXT_PARAMETER_HAS_VALUE]
var _ = [1]int{}[core.ParameterQuoted-C.LLHTTP_EXT_PARAMETER_QUOTED]
var _ = [1]int{}[core.ParameterEscaped-C.LLHTTP_EXT_PARAMETER_ESCAPED]
var _ = [1]int{}[unsafe.Sizeof(core.Target{})-unsafe.Sizeof(C.llhttp_ext_target_t{})]
var _ = [1]int{}[unsafe.Offsetof(core.Target{}.Port)-unsafe.Offsetof(C.llhttp_ext_target_t{}.port)]
var _ = [1]int{}[unsafe.Offsetof(core.Target{}.Scheme)-unsafe.Offsetof(C.llhttp_ext_target_t{}.scheme)]
var _ = [1]int{}[unsafe.Offsetof(core.Target{}.Host)-unsafe.Offsetof(C.llhttp_ext_target_t{}.host)]
var _ = [1]int{}[unsafe.Offsetof(core.Target{}.Fragment)-unsafe.Offsetof(C.llhttp_ext_target_t{}.fragment)]
var _ = [1]int{}[unsafe.Offsetof(core.Target{}.Error)-unsafe.Offsetof(C.llhttp_ext_target_t{}.error_offset)]
var _ = [1]int{}[core.TargetAsterisk-C.LLHTTP_EXT_TARGET_ASTERISK]
var _ = [1]int{}[core.HostIPFuture-C.LLHTTP_EXT_HOST_IPFUTURE]
var _ = [1]int{}[core.TargetHasFragment-C.LLHTTP_EXT_TARGET_HAS_FRAGMENT]
var _ = [1]int{}[core.TargetInvalid-C.LLHTTP_EXT_TARGET_INVALID]
var _ = [1]int{}[core.TargetNoForm-C.LLHTTP_EXT_TARGET_NO_FORM]
var _ = [1]int{}[core.TargetBadHost-C.LLHTTP_EXT_TARGET_BAD_HOST]
var _ = [1]int{}[core.TargetBadPort-C.LLHTTP_EXT_TARGET_BAD_PORT]
var _ = [1]int{}[core.TargetTooLarge-C.LLHTTP_EXT_TARGET_TOO_LARGE]
var _ = [1]int{}[unsafe.Sizeof(core.URL{})-unsafe.Sizeof(C.struct_http_parser_url{})]

func main() {
	_ = core.Entry()
	_ = asm.Entry()
}
