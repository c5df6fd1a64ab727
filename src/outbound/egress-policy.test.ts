import { describe, expect, test } from 'vitest'
import { judgeAddress, parseRanges } from './egress-policy.ts'

/** First and last of every forbidden range, and the allowed addresses next to them (S8). */
const forbidden = `
0.0.0.0 0.0.0.1 0.255.255.255
10.0.0.0 10.0.0.1 10.255.255.255
100.64.0.0 100.64.0.1 100.127.255.255
127.0.0.0 127.0.0.1 127.0.0.53 127.1.2.3 127.255.255.255
169.254.0.0 169.254.169.254 169.254.255.255
172.16.0.0 172.16.0.1 172.17.0.1 172.31.255.255
192.0.0.0 192.0.0.1 192.0.0.9 192.0.0.170 192.0.0.255
192.0.2.0 192.0.2.1 192.0.2.255
192.31.196.0 192.31.196.255
192.52.193.0 192.52.193.255
192.88.99.0 192.88.99.1 192.88.99.255
192.168.0.0 192.168.1.1 192.168.255.255
192.175.48.0 192.175.48.255
198.18.0.0 198.18.0.1 198.19.255.255
198.51.100.0 198.51.100.7 198.51.100.255
203.0.113.0 203.0.113.1 203.0.113.255
224.0.0.0 224.0.0.1 224.0.0.251 239.255.255.255
240.0.0.0 240.0.0.1 247.255.255.255 255.255.255.254 255.255.255.255
:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff
::ffff:0:0 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8 ::ffff:ffff:ffff
::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8
64:ff9b:: 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b::ffff:ffff
64:ff9b:1:: 64:ff9b:1::7f00:1 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 64:ff9b:2::1 64:ff9a::1
100:: 100::1 100::ffff:ffff:ffff:ffff 100:0:0:1::1
1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2001:: 2001::1 2001:0:7f00:1::1 2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:1::1 2001:1::2
2001:2:: 2001:2::1 2001:2:0:ffff:ffff:ffff:ffff:ffff 2001:2:1::1
2001:3::1 2001:4:112::1 2001:5::1 2001:10:: 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff 2001:20::1 2001:2f::1 2001:30::1
2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
2001:db8:: 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
2002:: 2002:7f00:1:: 2002:7f00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
3fff:: 3fff::1 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
4000:: 4000::1 5f00:: 5f00::1 5fff:ffff::1 8000::1 e000::1
fc00:: fc00::1 fd00::1 fd00:ec2::254 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fbff:ffff::1
fe00::1 fe80:: fe80::1 fe80::a9fe:a9fe febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fec0:: fec0::1 feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
ff00:: ff01::1 ff02::1 ff02::fb ff05::2 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`

const open = `
1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0
100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.31.195.255 192.31.197.0 192.52.192.255 192.52.194.0
192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.47.255 192.175.49.0
198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
2000:: 2000::1 2001:200:: 2001:200::1 2001:4860:4860::8888 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9::
2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2003:: 2003::1 2606:4700:4700::1111
2620:4f:7fff:ffff:ffff:ffff:ffff:ffff 2620:4f:8001:: 2a00:1450:4009::1
3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`

const notAddresses = [
  ...[
    '',
    ' ',
    'localhost',
    'example.com',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '010.0.0.1',
    '08.8.8.8',
    '8.8.8.8.',
  ],
  ...[
    '8.8.8',
    '8.8.8.8.8',
    '256.1.1.1',
    '8.8.8.8/32',
    '[::1]',
    '[2606:4700::1]',
    'fe80::1%lo',
    '2606:4700::1%eth0',
  ],
  ...[
    '2606:4700',
    '2606::4700::1',
    '8.8.8.8 ',
    '8.8.8.8\n',
    '８.8.8.8',
    '2001:4860:4860:0:0:0:0:0:8888',
    'null',
  ],
]

const list = (text: string) => text.trim().split(/\s+/)

describe('which addresses are allowed', () => {
  test.each(list(forbidden))('%s is not global unicast', (address) => {
    expect(judgeAddress(address, [])).toBe('forbidden')
  })

  test.each(list(open))('%s is global unicast', (address) => {
    expect(judgeAddress(address, [])).toBe('public')
  })

  test.each(notAddresses)('"%s" is not an address', (text) => {
    expect(judgeAddress(text, parseRanges(['0.0.0.0/0', '::/0']))).toBe('forbidden')
  })

  test('the table has at least 140 rows', () => {
    expect(list(forbidden).length + list(open).length + notAddresses.length).toBeGreaterThan(200)
  })
})

describe('what the operator allows', () => {
  const allow = parseRanges(['10.1.0.0/16', '127.0.0.1/32', 'fd00:1::/32', '::1/128'])

  test.each([
    ['10.1.0.0', 'allowed'],
    ['10.1.255.255', 'allowed'],
    ['10.0.255.255', 'forbidden'],
    ['10.2.0.0', 'forbidden'],
    ['127.0.0.1', 'allowed'],
    ['127.0.0.2', 'forbidden'],
    ['fd00:1::7', 'allowed'],
    ['fd00:2::7', 'forbidden'],
    ['::1', 'allowed'],
    ['8.8.8.8', 'public'],
    // An address that contains an allowed one is another address.
    ['::ffff:127.0.0.1', 'forbidden'],
    ['::ffff:10.1.0.1', 'forbidden'],
    ['::127.0.0.1', 'forbidden'],
    ['64:ff9b::10.1.0.1', 'forbidden'],
    ['2002:7f00:1::1', 'forbidden'],
  ])('%s is %s', (address, judgement) => {
    expect(judgeAddress(address, allow)).toBe(judgement)
  })

  test.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10/8',
    'fd00::/129',
    'localhost/8',
    '010.0.0.0/8',
    '::1/',
    '10.0.0.0/-1',
    '',
  ])('"%s" is refused as a range', (cidr) => {
    expect(() => parseRanges(['127.0.0.0/8', cidr])).toThrow('is not an address range such as 10.0.0.0/8.')
  })
})
