/* A form in multipart/form-data, to the address that takes dumps or to the one that takes tokens. Line 1 chooses: its boundary. */
#include "tests/fuzz/served.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(buf_clear) struct buf request = BUF_UNLIMITED;
	struct str text = fuzz_text(data, size), boundary;
	bool login;

	str_cut(&text, '\n', &boundary);
	login = str_ends(boundary, STR("!"));
	if (!text.ptr || str_has(boundary, STR("\r")))
		return 0;
	buf_printf(&request, "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
		login ? "/login" : "/api/v1/assessments");
	buf_printf(&request, "Content-Type: multipart/form-data; boundary=%.*s\r\nContent-Length: %zu\r\n\r\n",
		STR_ARG(boundary), text.len);
	buf_add(&request, text);
	hold_answer(buf_str(&request));
	return 0;
}
