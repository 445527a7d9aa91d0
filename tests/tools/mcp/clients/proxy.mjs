// The conformance suite sends no token. This hands its requests on with one, as they are otherwise:
// proxy.mjs URL TOKEN prints its own URL and runs until its input ends.

import http from 'node:http';

const [target, token] = process.argv.slice(2);
const { hostname, port } = new URL(target);

const server = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  // The server checks who is meant: a client that names it names this proxy.
  if (headers.host === `127.0.0.1:${server.address().port}`) headers.host = `127.0.0.1:${port}`;
  const onward = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
process.stdin.on('end', () => process.exit(0)).resume();
