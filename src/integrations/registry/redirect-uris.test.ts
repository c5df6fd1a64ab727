import { describe, expect, test } from 'vitest'
import { Refusal } from '../../errors.ts'
import { checkUrl, withParameters } from './redirect-uris.ts'

const accepted = [
  'https://shop.example',
  'https://shop.example/',
  'https://shop.example/oauth',
  'https://shop.example/oauth?from=patchbay',
  'https://shop.example:8443/oauth',
  'http://localhost:3000/callback',
  'http://127.0.0.1:3000/callback',
  'http://[::1]:3000/callback',
  'https://xn--e1afmkfd.example/oauth',
  'https://shop.example/a%20b',
]

const hosts = ['shop.example', 'evil.example']
/** URIs that two programs could read differently, or that are invalid. */
const refused = [
  '',
  ' ',
  'shop.example',
  '/oauth',
  '//shop.example/oauth',
  'https:',
  'https://',
  'https:///oauth',
  'https:/shop.example',
  'https:shop.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://shop.example/',
  'ws://shop.example/',
  'blob:https://shop.example/x',
  'about:blank',
  'mailto:a@shop.example',
  'intent://shop.example#Intent;end',
  'chrome://settings',
  'myapp://callback',
  'urn:ietf:wg:oauth:2.0:oob',
  'https://*.example/oauth',
  'https://shop.example/#',
  'https://shop.example/#frag',
  'https://shop.example/oauth#',
  'https://[::1',
  'https://shop.example:99999/',
  'https://shop.example:abc/',
  'https://%00/',
  'https://shop.example/\u0000',
  'https://shop.example/\r\nSet-Cookie: a=b',
  'https://shop.example/\n',
  'https://shop.example/\t',
  '\thttps://shop.example/',
  '\nhttps://shop.example/',
  ' https://shop.example/',
  'https://shop.example/ ',
  'https://shop.example/a b',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://127.1/',
  'https://0177.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://shop。example/',
  'https://пример.example/',
  'https://SHOP.example/',
  'https://shop%2eexample/',
  'https://shop.example:443/',
  'http://shop.example:80/',
  'https://shop.example/a/../b',
  'https://shop.example/./b',
  'https://shop.example/%2e%2e/b',
  'https://shop.example/a/%2E/b',
  'https://shop.example?a',
  'https://shop.example/ü',
  'https://shop.example/"',
  'https://shop.example/<x>',
  'https://shop.example/`',
  'HTTPS://shop.example/',
  'hTTps://shop.example/',
  'https:\\\\shop.example\\',
  'https:/\\shop.example/',
  'https://shop.example\\@evil.example/',
  'https://shop.example\\.evil.example/',
  'https://shop.example/\\evil.example',
  'https:////shop.example/',
  'https://shop.example:/',
  ...hosts.flatMap((host) => [
    `https://user@${host}/`,
    `https://user:pass@${host}/`,
    `https://@${host}/`,
    `https://:@${host}/`,
    `https://:x@${host}/`,
    `https://shop.example@${host}/`,
    `https://shop.example:443@${host}/`,
    `https://shop.example%40${host}/`,
    `https://shop.example%2f@${host}/`,
    `https://shop.example#@${host}/`,
    `https://shop.example\\@${host}/`,
    `https://${host}\u200b/`,
    `https://${host}\u3002x/`,
    `https://${host}%09/`,
    `https://${host}%20/`,
    `https://${host}\uff0fx/`,
    `https://ｓ${host}/`,
    `https://${host}/\u2028`,
    `https://${host}/?q="`,
    `https://${host}/?q=<x>`,
    `https://${host}/?q= `,
  ]),
]

describe('A redirect URI is registered in the form in which it is compared, byte for byte', () => {
  test.each(accepted)('%s is accepted', (uri) => {
    expect(() => checkUrl('redirect_uri', uri)).not.toThrow()
    expect(new URL(withParameters(uri, [['code', 'x']])).origin).toBe(new URL(uri).origin)
  })

  test(`${refused.length} ambiguous URIs are rejected`, () => {
    expect(refused.length).toBeGreaterThanOrEqual(100)
    for (const uri of refused)
      expect(() => checkUrl('redirect_uri', uri), JSON.stringify(uri)).toThrow(Refusal)
  })

  test('parameters are appended to the existing query', () => {
    expect(
      withParameters('https://a.example/x?y=1', [
        ['code', 'c'],
        ['state', 's'],
      ]),
    ).toBe('https://a.example/x?y=1&code=c&state=s')
  })
})
