import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { world } from '../../test/world.ts'
import { createServer } from './server.ts'

test('probe', async () => {
  const { ctx } = await world()
  const http = createServer(ctx)
  const reached: string[] = []
  http.all('/*', async (r) => { reached.push(`${r.method} ${r.url} ${JSON.stringify(r.body) ?? ''}`); return { ok: true } })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const raw = (bytes: string | Buffer) => new Promise<string>((resolve) => {
    const s = connect(port, '127.0.0.1'); let t = ''
    let timer: NodeJS.Timeout
    const done = (how: string) => { clearTimeout(timer); s.destroy(); resolve(`${how} ${t}`) }
    s.on('data', (d) => { t += d; clearTimeout(timer); timer = setTimeout(() => done('open'), 300) })
    s.on('close', () => done('closed')); s.on('error', () => {})
    timer = setTimeout(() => done('silent'), 1000)
    s.write(bytes)
  })
  const H = 'Host: localhost\r\n'
  const J = 'Content-Type: application/json\r\n'
  const cases: Record<string, string> = {
    plain: `GET /a HTTP/1.1\r\n${H}\r\n`,
    http10: `GET /http10 HTTP/1.0\r\n${H}\r\n`,
    http10nohost: `GET /http10nh HTTP/1.0\r\n\r\n`,
    http09: `GET /http09\r\n`,
    http2: `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    http12: `GET /http12 HTTP/1.2\r\n${H}\r\n`,
    twohost: `GET /th HTTP/1.1\r\n${H}${H}\r\n`,
    twohost2: `GET /th HTTP/1.1\r\n${H}Host: evil\r\n\r\n`,
    nohost: `GET /nh HTTP/1.1\r\n\r\n`,
    emptyhost: `GET /eh HTTP/1.1\r\nHost:\r\n\r\n`,
    hostspace: `GET /hs HTTP/1.1\r\nHost : localhost\r\n\r\n`,
    hostcomma: `GET /hc HTTP/1.1\r\nHost: localhost, evil\r\n\r\n`,
    hostuser: `GET /hu HTTP/1.1\r\nHost: a@localhost\r\n\r\n`,
    absolute: `GET http://localhost/abs HTTP/1.1\r\n${H}\r\n`,
    absolute2: `GET http://evil/abs HTTP/1.1\r\n${H}\r\n`,
    star: `OPTIONS * HTTP/1.1\r\n${H}\r\n`,
    options: `OPTIONS /o HTTP/1.1\r\n${H}\r\n`,
    trace: `TRACE /t HTTP/1.1\r\n${H}\r\n`,
    connect: `CONNECT localhost:80 HTTP/1.1\r\n${H}\r\n`,
    connect2: `CONNECT /c HTTP/1.1\r\n${H}\r\n`,
    propfind: `PROPFIND /p HTTP/1.1\r\n${H}\r\n`,
    query: `QUERY /p HTTP/1.1\r\n${H}\r\n`,
    bogus: `FOO /p HTTP/1.1\r\n${H}\r\n`,
    lower: `get /p HTTP/1.1\r\n${H}\r\n`,
    clte: `POST /clte HTTP/1.1\r\n${H}${J}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX`,
    tecl: `POST /tecl HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    cl2same: `POST /cl2 HTTP/1.1\r\n${H}${J}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    cl2diff: `POST /cl2 HTTP/1.1\r\n${H}${J}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
    cllist: `POST /cl2 HTTP/1.1\r\n${H}${J}Content-Length: 2, 2\r\n\r\n{}`,
    clneg: `POST /cln HTTP/1.1\r\n${H}${J}Content-Length: -2\r\n\r\n{}`,
    clplus: `POST /clp HTTP/1.1\r\n${H}${J}Content-Length: +2\r\n\r\n{}`,
    clhex: `POST /clh HTTP/1.1\r\n${H}${J}Content-Length: 0x2\r\n\r\n{}`,
    clempty: `POST /cle HTTP/1.1\r\n${H}${J}Content-Length: \r\n\r\n{}`,
    clbig: `POST /clb HTTP/1.1\r\n${H}${J}Content-Length: 99999999999999999999999\r\n\r\n{}`,
    cl0: `POST /cl0 HTTP/1.1\r\n${H}${J}Content-Length: 002\r\n\r\n{}`,
    teok: `POST /teok HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    teCase: `POST /tecase HTTP/1.1\r\n${H}${J}Transfer-Encoding: CHUNKED\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    tegzip: `POST /teg HTTP/1.1\r\n${H}${J}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    teident: `POST /tei HTTP/1.1\r\n${H}${J}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}`,
    teident2: `POST /tei HTTP/1.1\r\n${H}${J}Transfer-Encoding: identity\r\n\r\n{}`,
    tex: `POST /tex HTTP/1.1\r\n${H}${J}Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    teafter: `POST /tea HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    te2: `POST /te2 HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    te2id: `POST /te2id HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    tespace: `POST /tes HTTP/1.1\r\n${H}${J}Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    tetab: `POST /tet HTTP/1.1\r\n${H}${J}Transfer-Encoding:\tchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    tevt: `POST /tevt HTTP/1.1\r\n${H}${J}Transfer-Encoding:\x0bchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    te10: `POST /te10 HTTP/1.0\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    tetrail: `POST /tetr HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nHost: evil\r\n\r\n`,
    fold: `GET /fold HTTP/1.1\r\n${H}X: a\r\n b\r\n\r\n`,
    foldhost: `GET /foldh HTTP/1.1\r\nHost: local\r\n host\r\n\r\n`,
    barelf: `GET /lf HTTP/1.1\nHost: localhost\n\n`,
    barelf2: `GET /lf2 HTTP/1.1\r\n${H}X: a\nY: b\r\n\r\n`,
    barecr: `GET /cr HTTP/1.1\r\n${H}X: a\rY: b\r\n\r\n`,
    nulh: `GET /nul HTTP/1.1\r\n${H}X: a\0b\r\n\r\n`,
    nocolon: `GET /noc HTTP/1.1\r\n${H}Bad\r\n\r\n`,
    badname: `GET /bn HTTP/1.1\r\n${H}B(d: x\r\n\r\n`,
    spurl: `GET /a b HTTP/1.1\r\n${H}\r\n`,
    chunkext: `POST /ce HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n`,
    chunkextlf: `POST /celf HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2;a\n{}\r\n0\r\n\r\n`,
    chunkextbig: `POST /ceb HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20000)}\r\n{}\r\n0\r\n\r\n`,
    chunkbad: `POST /cb HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    chunkbig: `POST /cbig HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
    chunklf: `POST /cl HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n`,
    chunkmiss: `POST /cm HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n2\r\n{}}}\r\n0\r\n\r\n`,
    pipe: `GET /p1 HTTP/1.1\r\n${H}\r\nGET /p2 HTTP/1.1\r\n${H}\r\nGET /p3 HTTP/1.1\r\n${H}\r\n`,
    pipebad: `GET /pb1 HTTP/1.1\r\n${H}\r\nGET /pb2 HTTP/1.1\r\n${H}${H}\r\nGET /pb3 HTTP/1.1\r\n${H}\r\n`,
    pipebody: `POST /pp HTTP/1.1\r\n${H}${H}${J}Content-Length: 40\r\n\r\nGET /smuggled HTTP/1.1\r\n${H}\r\nGET /after HTTP/1.1\r\n${H}\r\n`,
    getbody: `GET /gb HTTP/1.1\r\n${H}${J}Content-Length: 33\r\n\r\nGET /smug2 HTTP/1.1\r\n${H}\r\n`,
    upgrade: `GET /up HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /up2 HTTP/1.1\r\n${H}\r\n`,
    h2c: `GET /h2c HTTP/1.1\r\n${H}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    bigheader: `GET /bh HTTP/1.1\r\n${H}X: ${'a'.repeat(17000)}\r\n\r\n`,
    okheader: `GET /okh HTTP/1.1\r\n${H}X: ${'a'.repeat(15000)}\r\n\r\n`,
    manyh: `GET /mh HTTP/1.1\r\n${H}${Array.from({ length: 101 }, (_, i) => `X${i}: a\r\n`).join('')}\r\n`,
    h99: `GET /m99 HTTP/1.1\r\n${H}${Array.from({ length: 99 }, (_, i) => `X${i}: a\r\n`).join('')}\r\n`,
    manythenhost: `GET /mth HTTP/1.1\r\n${H}${Array.from({ length: 120 }, (_, i) => `X${i}: a\r\n`).join('')}Host: evil\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    bigurl: `GET /${'u'.repeat(8192)} HTTP/1.1\r\n${H}\r\n`,
    okurl: `GET /${'u'.repeat(8191)} HTTP/1.1\r\n${H}\r\n`,
    expect: `POST /ex HTTP/1.1\r\n${H}${J}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    expectbad: `POST /exb HTTP/1.1\r\n${H}${J}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`,
    expecttwohost: `POST /exth HTTP/1.1\r\n${H}${H}${J}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    fragment: `GET /frag#x HTTP/1.1\r\n${H}\r\n`,
    dotdot: `GET /../etc HTTP/1.1\r\n${H}\r\n`,
    dslash: `GET //evil/x HTTP/1.1\r\n${H}\r\n`,
    pct: `GET /%zz HTTP/1.1\r\n${H}\r\n`,
    pctnul: `GET /%00 HTTP/1.1\r\n${H}\r\n`,
    utf8: `GET /\xff HTTP/1.1\r\n${H}\r\n`,
    noslash: `GET foo HTTP/1.1\r\n${H}\r\n`,
    leadcrlf: `\r\n\r\nGET /lc HTTP/1.1\r\n${H}\r\n`,
    connclosehost: `GET /cch HTTP/1.1\r\n${H}Connection: host\r\n\r\n`,
    tls: '\x16\x03\x01\x00\xa5\x01\x00',
    garbage: '\0\0\0\0\r\n\r\n',
    tls12: '',
  }
  for (const [name, bytes] of Object.entries(cases)) {
    reached.length = 0
    const t = await raw(Buffer.from(bytes, 'latin1'))
    const how = t.split(' ', 1)[0]
    const statuses = [...t.matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([^\r\n]{0,100})/g)].map((m) => m[1])
    const type = /content-type: (.*)/i.exec(t)?.[1]
    process.stdout.write(`${name.padEnd(14)} ${how} ${statuses} | ${reached.map((r) => r.slice(0, 60)).join(' ; ')} | ${type} | ${statuses[0] === '200' ? '' : JSON.stringify(t.slice(0, 50))}\n`)
  }
  await http.close()
}, 120000)
