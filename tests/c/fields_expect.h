/* Included by fields.c: name, type, input, size of the pieces (0: whole), log. Lines of the log break anywhere. */
{"length", HTTP_REQUEST,
 "PUT /a HTTP/1.1\r\n"
 "Content-Length: 123\r\n\r\nx",
 0,
 "message_begin{type:1,finish:2} method=PUT{method:4} method_complete url=/a url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete "
 "header_field=Content-Length header_field_complete header_value=123{flags:32,content_length:123} "
 "header_value_complete headers_complete body=x{content_length:122} end 0"},
{"length, byte by byte", HTTP_REQUEST,
 "PUT /a HTTP/1.1\r\n"
 "Content-Length: 12\r\n\r\nabcdefghijkl",
 1,
 "message_begin{type:1,finish:2} method=P method=U method=T{method:4} method_complete url=/ url=a url= "
 "url_complete protocol=H protocol=T protocol=T protocol=P protocol_complete version=1{http_major:1} version=. "
 "version=1{http_minor:1,keep_alive:1} version_complete header_field=C header_field=o header_field=n "
 "header_field=t header_field=e header_field=n header_field=t header_field=- header_field=L header_field=e "
 "header_field=n header_field=g header_field=t header_field=h header_field= header_field_complete "
 "header_value=1{content_length:1} header_value=2{content_length:12} header_value={flags:32} header_value_complete "
 "headers_complete body=a{content_length:11} body=b{content_length:10} body=c{content_length:9} "
 "body=d{content_length:8} body=e{content_length:7} body=f{content_length:6} body=g{content_length:5} "
 "body=h{content_length:4} body=i{content_length:3} body=j{content_length:2} body=k{content_length:1} "
 "body=l{content_length:0} message_complete end 0"},
{"length with spaces, pieces of 3", HTTP_REQUEST,
 "PUT /a HTTP/1.0\r\n"
 "Content-Length:   12  \r\n\r\nabcdefghijklGET",
 3,
 "message_begin{type:1,finish:2} method=PUT{method:4} method_complete url=/a url= url_complete protocol=HT "
 "protocol=TP protocol_complete version=1.0{http_major:1} version_complete header_field=C header_field=ont "
 "header_field=ent header_field=-Le header_field=ngt header_field=h header_field_complete "
 "header_value=1{content_length:1} header_value=2__{content_length:12} header_value={flags:32} "
 "header_value_complete headers_complete body=ab{content_length:10} body=cde{content_length:7} "
 "body=fgh{content_length:4} body=ijk{content_length:1} body=l{content_length:0} message_complete end 5"},
{"connection", HTTP_REQUEST,
 "GET / HTTP/1.1\r\n"
 "Connection: keep-alive\r\nConnection: upgrade, close\r\nConnection: x\r\n"
 "Upgrade: h\r\n\r\nabc",
 0,
 "message_begin{type:1,finish:2} method=GET{method:1} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete header_field=Connection "
 "header_field_complete header_value=keep-alive header_value_complete{flags:1} header_field=Connection "
 "header_field_complete header_value=upgrade,_close{flags:5} header_value_complete{flags:7,keep_alive:0} "
 "header_field=Connection header_field_complete header_value=x header_value_complete header_field=Upgrade "
 "header_field_complete header_value=h{flags:23} header_value_complete headers_complete{upgrade:1} "
 "message_complete end 22"},
{"connection, byte by byte", HTTP_REQUEST,
 "GET / HTTP/1.0\r\n"
 "Connection: keep-alive, close\r\n\r\n",
 1,
 "message_begin{type:1,finish:2} method=G method=E method=T method={method:1} method_complete url=/ url= "
 "url_complete protocol=H protocol=T protocol=T protocol=P protocol_complete version=1{http_major:1} version=. "
 "version=0 version_complete header_field=C header_field=o header_field=n header_field=n header_field=e "
 "header_field=c header_field=t header_field=i header_field=o header_field=n header_field= header_field_complete "
 "header_value=k header_value=e header_value=e header_value=p header_value=- header_value=a header_value=l "
 "header_value=i header_value=v header_value=e header_value=,{flags:1,keep_alive:1} header_value=_ header_value=c "
 "header_value=l header_value=o header_value=s header_value=e header_value= header_value_complete{flags:3} "
 "headers_complete message_complete end 0"},
{"proxy connection, 1.0", HTTP_REQUEST,
 "GET / HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n"
 "GET /next HTTP/1.0\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=GET{method:1} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.0{http_major:1} version_complete header_field=Proxy-Connection header_field_complete "
 "header_value=keep-alive header_value_complete{flags:1,keep_alive:1} headers_complete message_complete "
 "reset{flags:0,keep_alive:0,finish:0} message_begin{finish:2} method=GET method_complete url=/next url_complete "
 "protocol=HTTP protocol_complete version=1.0 version_complete headers_complete message_complete end 0"},
{"upgrade, byte by byte", HTTP_REQUEST,
 "GET / HTTP/1.1\r\nUpgrade: h2\r\nConnection: upgrade\r\n\r\n",
 1,
 "message_begin{type:1,finish:2} method=G method=E method=T method={method:1} method_complete url=/ url= "
 "url_complete protocol=H protocol=T protocol=T protocol=P protocol_complete version=1{http_major:1} version=. "
 "version=1{http_minor:1,keep_alive:1} version_complete header_field=U header_field=p header_field=g "
 "header_field=r header_field=a header_field=d header_field=e header_field= header_field_complete "
 "header_value=h{flags:16} header_value=2 header_value= header_value_complete header_field=C header_field=o "
 "header_field=n header_field=n header_field=e header_field=c header_field=t header_field=i header_field=o "
 "header_field=n header_field= header_field_complete header_value=u header_value=p header_value=g header_value=r "
 "header_value=a header_value=d header_value=e header_value= header_value_complete{flags:20} "
 "headers_complete{upgrade:1} message_complete end 22"},
{"connect", HTTP_REQUEST,
 "CONNECT h:1 HTTP/1.1\r\nA: b\r\n\r\nx",
 0,
 "message_begin{type:1,finish:2} method=CONNECT{method:5} method_complete url=h:1 url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete header_field=A "
 "header_field_complete header_value=b header_value_complete headers_complete{upgrade:1} message_complete end 22"},
{"chunked", HTTP_REQUEST,
 "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
 "1a;n=v\r\nabcdefghijklmnopqrstuvwxyz\r\n0;l\r\nConnection: close\r\nContent-Length: 7\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=POST{method:3} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete "
 "header_field=Transfer-Encoding header_field_complete header_value=gzip,_chunked{flags:512} "
 "header_value_complete{flags:520} headers_complete chunk_extension_name=n{content_length:26} "
 "chunk_extension_name_complete chunk_extension_value=v chunk_extension_value_complete chunk_header "
 "body=abcdefghijklmnopqrstuvwxyz{content_length:0} chunk_complete chunk_extension_name=l "
 "chunk_extension_name_complete chunk_header header_field=Connection{flags:648} header_field_complete "
 "header_value=close header_value_complete{flags:650,keep_alive:0} header_field=Content-Length "
 "header_field_complete end 11"},
{"chunked, byte by byte", HTTP_REQUEST,
 "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
 "1f;n=v\r\nab",
 1,
 "message_begin{type:1,finish:2} method=P method=O method=S method=T{method:3} method_complete url=/ url= "
 "url_complete protocol=H protocol=T protocol=T protocol=P protocol_complete version=1{http_major:1} version=. "
 "version=1{http_minor:1,keep_alive:1} version_complete header_field=T header_field=r header_field=a "
 "header_field=n header_field=s header_field=f header_field=e header_field=r header_field=- header_field=E "
 "header_field=n header_field=c header_field=o header_field=d header_field=i header_field=n header_field=g "
 "header_field= header_field_complete header_value=c{flags:512} header_value=h header_value=u header_value=n "
 "header_value=k header_value=e header_value=d header_value= header_value_complete{flags:520} headers_complete "
 "chunk_extension_name=n{content_length:31} chunk_extension_name= chunk_extension_name_complete "
 "chunk_extension_value=v chunk_extension_value= chunk_extension_value_complete chunk_header "
 "body=a{content_length:30} body=b{content_length:29} end 0"},
{"two codings", HTTP_RESPONSE,
 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\nabc",
 0,
 "message_begin{type:2,needs_eof:1,finish:2} protocol=HTTP protocol_complete "
 "version=1.1{http_major:1,http_minor:1} version_complete status=OK{status_code:200} status_complete "
 "header_field=Transfer-Encoding header_field_complete header_value=chunked{flags:512} "
 "header_value_complete{flags:520,keep_alive:1,needs_eof:0} header_field=Transfer-Encoding header_field_complete "
 "header_value=identity{flags:512,keep_alive:0,needs_eof:1} header_value_complete headers_complete "
 "body=abc{finish:1} end 0"},
{"response with length, then without", HTTP_RESPONSE,
 "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
 "HTTP/1.0 404\r\nConnection: keep-alive\r\n\r\nabc",
 0,
 "message_begin{type:2,needs_eof:1,finish:2} protocol=HTTP protocol_complete "
 "version=1.1{http_major:1,http_minor:1} version_complete status=OK{status_code:200} status_complete "
 "header_field=Content-Length header_field_complete "
 "header_value=2{flags:32,content_length:2,keep_alive:1,needs_eof:0} header_value_complete headers_complete "
 "body=ok{content_length:0} message_complete reset{flags:0,keep_alive:0,needs_eof:1,finish:0} "
 "message_begin{finish:2} protocol=HTTP protocol_complete version=1.0{http_minor:0} version_complete "
 "status_complete{status_code:404} header_field=Connection header_field_complete header_value=keep-alive "
 "header_value_complete{flags:1} headers_complete body=abc{finish:1} end 0"},
{"response, byte by byte", HTTP_RESPONSE,
 "HTTP/1.1 304 N\r\nContent-Length: 2\r\n\r\n"
 "HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
 1,
 "message_begin{type:2,needs_eof:1,finish:2} protocol=H protocol=T protocol=T protocol=P protocol_complete "
 "version=1{http_major:1} version=. version=1{http_minor:1} version_complete "
 "status=N{status_code:304,keep_alive:1,needs_eof:0} status= status_complete header_field=C header_field=o "
 "header_field=n header_field=t header_field=e header_field=n header_field=t header_field=- header_field=L "
 "header_field=e header_field=n header_field=g header_field=t header_field=h header_field= header_field_complete "
 "header_value=2{content_length:2} header_value={flags:32} header_value_complete headers_complete message_complete "
 "reset{flags:0,content_length:0,finish:0} message_begin{finish:2} protocol=H protocol=T protocol=T protocol=P "
 "protocol_complete version=1 version=. version=1 version_complete status=S{status_code:101} status= "
 "status_complete header_field=C header_field=o header_field=n header_field=n header_field=e header_field=c "
 "header_field=t header_field=i header_field=o header_field=n header_field= header_field_complete header_value=u "
 "header_value=p header_value=g header_value=r header_value=a header_value=d header_value=e header_value= "
 "header_value_complete{flags:4} header_field=U header_field=p header_field=g header_field=r header_field=a "
 "header_field=d header_field=e header_field= header_field_complete header_value=x{flags:20} header_value= "
 "header_value_complete headers_complete{upgrade:1} message_complete end 22"},
{"type found out, request", HTTP_BOTH,
 "HEAD / HTTP/1.1\r\n\r\n"
 "HEAD / HTTP/1.0\r\n\r\n",
 0,
 "message_begin{needs_eof:1,finish:2} method=HEAD{type:1,method:2,needs_eof:0} method_complete url=/ url_complete "
 "protocol=HTTP protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete "
 "headers_complete message_complete reset{finish:0} message_begin{finish:2} method=HEAD method_complete url=/ "
 "url_complete protocol=HTTP protocol_complete version=1.0{http_minor:0,keep_alive:0} version_complete "
 "headers_complete message_complete end 0"},
{"type found out, response, byte by byte", HTTP_BOTH,
 "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
 1,
 "message_begin{needs_eof:1,finish:2} method=H method=T method=T method=P method=/ version=1{type:2,http_major:1} "
 "version=. version=1{http_minor:1} version_complete status=O{status_code:200} status=K status= status_complete "
 "header_field=C header_field=o header_field=n header_field=t header_field=e header_field=n header_field=t "
 "header_field=- header_field=L header_field=e header_field=n header_field=g header_field=t header_field=h "
 "header_field= header_field_complete header_value=1{content_length:1} "
 "header_value={flags:32,keep_alive:1,needs_eof:0} header_value_complete headers_complete body=a{content_length:0} "
 "message_complete end 0"},
{"three requests", HTTP_REQUEST,
 "POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\na"
 "CONNECT x:2 HTTP/1.1\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=POST{method:3} method_complete url=/1 url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete "
 "header_field=Content-Length header_field_complete header_value=1{flags:32,content_length:1} "
 "header_value_complete headers_complete body=a{content_length:0} message_complete reset{flags:0,finish:0} "
 "message_begin{finish:2} method=CONNECT{method:5} method_complete url=x:2 url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete headers_complete{upgrade:1} message_complete end 22"},
{"without version", HTTP_REQUEST,
 "GET /\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=GET{method:1} method_complete url=/ url_complete{http_minor:9} "
 "headers_complete message_complete end 0"},
{"header names that look like known ones", HTTP_REQUEST,
 "GET / HTTP/1.1\r\nContent-Lengt: 1\r\nContent-Lengthy: 2\r\nUpgrades: 3\r\nConnection-: close\r\nTransfer-Encodin: chunked\r\nX-Content-Length: 7\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=GET{method:1} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete "
 "header_field=Content-Lengt header_field_complete header_value=1 header_value_complete "
 "header_field=Content-Lengthy header_field_complete header_value=2 header_value_complete header_field=Upgrades "
 "header_field_complete header_value=3 header_value_complete header_field=Connection- header_field_complete "
 "header_value=close header_value_complete header_field=Transfer-Encodin header_field_complete "
 "header_value=chunked header_value_complete header_field=X-Content-Length header_field_complete header_value=7 "
 "header_value_complete headers_complete message_complete end 0"},
{"header names in any case", HTTP_REQUEST,
 "GET / HTTP/1.1\r\nCONTENT-LENGTH: 1\r\ncOnNeCtIoN: KEEP-alive\r\nuPGRADE: x\r\n\r\nx",
 0,
 "message_begin{type:1,finish:2} method=GET{method:1} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete "
 "header_field=CONTENT-LENGTH header_field_complete header_value=1{flags:32,content_length:1} "
 "header_value_complete header_field=cOnNeCtIoN header_field_complete header_value=KEEP-alive "
 "header_value_complete{flags:33} header_field=uPGRADE header_field_complete header_value=x{flags:49} "
 "header_value_complete headers_complete body=x{content_length:0} message_complete end 0"},
{"icecast and rtsp", HTTP_REQUEST,
 "SOURCE /a ICE/1.0\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=SOURCE{method:33} method_complete url=/a url_complete protocol=ICE "
 "protocol_complete version=1.0{http_major:1} version_complete headers_complete message_complete end 0"},
{"rtsp", HTTP_REQUEST,
 "SETUP /a RTSP/1.0\r\nContent-Length: 1\r\n\r\na",
 0,
 "message_begin{type:1,finish:2} method=SETUP{method:37} method_complete url=/a url_complete protocol=RTSP "
 "protocol_complete version=1.0{http_major:1} version_complete header_field=Content-Length header_field_complete "
 "header_value=1{flags:32,content_length:1} header_value_complete headers_complete body=a{content_length:0} "
 "message_complete end 0"},
{"version 2.0", HTTP_REQUEST,
 "GET / HTTP/2.0\r\n\r\n",
 0,
 "message_begin{type:1,finish:2} method=GET{method:1} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=2.0{http_major:2} version_complete headers_complete message_complete end 0"},
{"invalid version", HTTP_RESPONSE,
 "HTTP/9.8 200 OK\r\n\r\n",
 0,
 "message_begin{type:2,needs_eof:1,finish:2} protocol=HTTP protocol_complete "
 "version=9.8{http_major:9,http_minor:8} end 9"},
{"status of four digits", HTTP_RESPONSE,
 "HTTP/1.1 2004 OK\r\n\r\n",
 0,
 "message_begin{type:2,needs_eof:1,finish:2} protocol=HTTP protocol_complete "
 "version=1.1{http_major:1,http_minor:1} version_complete end 13"},
{"length too long", HTTP_REQUEST,
 "PUT / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n",
 7,
 "message_begin{type:1,finish:2} method=PUT{method:4} method_complete url=/ url_complete protocol=H protocol=TTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete header_field=Conte "
 "header_field=nt-Leng header_field=th header_field_complete header_value=184{content_length:184} "
 "header_value=4674407{content_length:1844674407} header_value=3709551{content_length:18446744073709551} "
 "header_value=615{flags:32,content_length:18446744073709551615} header_value_complete headers_complete end 0"},
{"length overflow", HTTP_REQUEST,
 "PUT / HTTP/1.1\r\nContent-Length: 184467440737095516150\r\n\r\n",
 10,
 "message_begin{type:1,finish:2} method=PUT{method:4} method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1{http_major:1,http_minor:1,keep_alive:1} version_complete header_field=Cont "
 "header_field=ent-Length header_field= header_field_complete header_value=18446744{content_length:18446744} "
 "header_value=0737095516{content_length:184467440737095516} header_value=150{content_length:18446744073709551615} "
 "end 11"},
