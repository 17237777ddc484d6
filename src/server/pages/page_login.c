#include "server/pages/handlers.h"

#include "base/value/url.h"
#include "server/http/access.h"
#include "server/pages/page.h"
#include "server/service/service.h"

/* Where to go on: an address of this service, or its first page. */
static struct str next_address(const struct request *request)
{
	struct str next = request_value(request, "next");

	if (ANY(i, next.len, next.ptr[i] <= ' ' || next.ptr[i] == '\\' || next.ptr[i] == '\x7f'))
		return STR("/");
	return str_starts(next, STR("/")) && !str_starts(next, STR("//")) ? next : STR("/");
}

int page_login(
	const struct service *service UNUSED, struct request *request, struct reply *reply, struct err *err UNUSED)
{
	struct page page = page_start(reply, request, "page.login");

	page_title(&page, "page.login", "page.login-about");
	page_html(&page, "<form method=\"post\" enctype=\"multipart/form-data\" action=\"/login?next=");
	url_put(&page.markup, next_address(request));
	page_html(&page,
		"{&lang}\">\n{csrf}<div><label for=\"token\">{page.token}</label>\n"
		"<input id=\"token\" name=\"token\" type=\"password\" required autocomplete=\"current-password\" "
		"size=\"40\"></div>\n<p class=\"send\"><button type=\"submit\">{page.login}</button></p>\n</form>\n");
	page_figure(&page);
	page_end(&page);
	return 0;
}

/* The prefix binds a cookie to this very host and to TLS, which a browser refuses without TLS. */
static void set_cookie(struct reply *reply, struct request *request, struct str value, unsigned seconds)
{
	bool https = request->caller.https;

	reply_header(reply, "Set-Cookie",
		arena_printf(&request->arena, "%s=%.*s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%u%s",
			access_cookie_name(https), STR_ARG(value), seconds, https ? "; Secure" : ""));
}

int answer_login(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct str session;
	int status = access_login(service->access, request, &session, err);

	if (status)
		return status;
	page_go_on(reply, request, next_address(request));
	set_cookie(reply, request, session, SESSION_SECONDS);
	return 0;
}

int answer_logout(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status = access_logout(service->access, request, err);

	if (status)
		return status;
	page_go_on(reply, request, STR("/login"));
	set_cookie(reply, request, STR(""), 0);
	return 0;
}
