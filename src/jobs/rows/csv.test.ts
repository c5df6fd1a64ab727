import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { imported, upload } from '../../../test/fixtures/jobs.ts'
import { costOf } from '../../../test/openapi/cost.ts'
import { world } from '../../../test/world.ts'
import type { FileStore } from '../../files/files.ts'
import { searchEncoding } from './csv-encoding.ts'
import { rowsOf } from './csv-rows.ts'

const CYRILLIC = 'Имя;Телефон\r\nЁлка Петрова;+7 999 111-22-33\r\nИван;8 (999) 000-11-22\r\n'
const WESTERN = 'Nombre;Teléfono\r\nJosé Peña;+34 611 22 33 44\r\nÁngela Núñez;+34 600 00 00 01\r\n'

/** Encoders for the old code pages, for the characters of these texts. */
const in1251 = (text: string) =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.charCodeAt(0)
      if (letter === 'Ё') return 0xa8
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
    }),
  )
const in1252 = (text: string) => Buffer.from(text, 'latin1')
/** The rows of a file that the store has as one chunk. */
const rowsIn = (csv: string) => {
  const files = { open: async () => Readable.from([Buffer.from(csv)]) } as Partial<FileStore> as FileStore
  const format = { encoding: 'utf-8', delimiter: ',', has_loose_quotes: false } as const
  return rowsOf(files, { blobs: [], is_encoding_guessed: false, ...format })
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('A CSV file', () => {
  test.each<[string, string, Buffer, string, string]>([
    ['UTF-8', 'utf-8', Buffer.from(CYRILLIC), CYRILLIC, ';'],
    ['UTF-8 with a mark', 'utf-8', Buffer.from(`\ufeff${WESTERN}`), WESTERN, ';'],
    ['UTF-16', 'utf-16le', Buffer.from(`\ufeff${CYRILLIC}`, 'utf16le'), CYRILLIC, ';'],
    ['UTF-16 without a mark', 'utf-16le', Buffer.from(CYRILLIC, 'utf16le'), CYRILLIC, ';'],
    ['UTF-16, big-endian', 'utf-16be', utf16be(`\ufeff${WESTERN}`), WESTERN, ';'],
    ['windows-1251', 'windows-1251', in1251(CYRILLIC), CYRILLIC, ';'],
    ['windows-1252', 'windows-1252', in1252(WESTERN), WESTERN, ';'],
    ['tabs', 'utf-8', Buffer.from(WESTERN.replaceAll(';', '\t')), WESTERN, '\t'],
    ['bars', 'utf-8', Buffer.from(WESTERN.replaceAll(';', '|')), WESTERN, '|'],
  ])('is read in %s', async (_name, encoding, bytes, text, delimiter) => {
    const { admin } = await world()
    const { status, body } = await upload(admin.browser, 'contacts', bytes)
    expect(status).toBe(200)
    expect(body.import).toMatchObject({ encoding, delimiter })
    const [columns, ...rows] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(';'))
    expect([body.import.columns, body.import.rows]).toEqual([columns, rows])
    expect(body.import.mapping).toMatchObject([
      { column: 0 },
      { column: 1, target: /^field\.\d+$/.exec(body.import.mapping[1].target)?.[0] },
    ])
  })

  test('has the same encoding wherever its chunks are cut', () => {
    const text = Buffer.from(CYRILLIC.repeat(3))
    for (let cut = 1; cut < text.length; cut++) {
      const search = searchEncoding()
      search.see(text.subarray(0, cut))
      search.see(text.subarray(cut))
      expect(search.found()).toBe('utf-8')
    }
    const search = searchEncoding()
    search.see(text)
    search.see(Buffer.from([0xd0]))
    expect([search.found(), search.isGuessed()]).toEqual(['utf-8', true])
  })

  test('is read in pieces that can end within a character', async () => {
    const cells = Array.from({ length: 400 }, (_, i) => `${'x'.repeat(i % 7)}😀ё`)
    expect(await Array.fromAsync(rowsIn(cells.join('\n')))).toEqual(cells.map((cell) => [cell]))
  })

  test.each([
    ['shorter than the header', 'a,b,c\n', ',\n'],
    ['as long as the header', 'a\n', 'x\n'],
  ])('with many short rows, %s, lets others work', async (_name, header, row) => {
    const { cpu, longest } = await costOf(async () => {
      for await (const _cells of rowsIn(`${header}${row.repeat(49_000)}`));
    })
    expect(longest).toBeLessThan(cpu / 3)
  })

  test('can have quotes, line breaks and delimiters in cells, and misplaced quotes', async () => {
    const { admin } = await world()
    const csv = 'name,about\n"Lee, ""Ann""","two\nlines"\n Bob ,\n\n'
    const { body } = await upload(admin.browser, 'contacts', csv)
    expect(body.total).toBe(2)
    expect(body.import.rows).toEqual([
      ['Lee, "Ann"', 'two\nlines'],
      ['Bob', ''],
    ])
    const loose = await upload(admin.browser, 'contacts', 'name,about\nBob,called "the man" here\nAnn,x\n')
    expect(loose.body.import.rows[0]).toEqual(['Bob', 'called "the man" here'])
  })

  test('is read as text, never as formulas', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv = `name,phone\n"=HYPERLINK(""http://x"")",="0055501"\n'=1+1,'+15550101\n@cmd,x\n`
    const job = await imported(here, browser, 'contacts', csv)
    const { contacts } = (await browser.get('/web/v4/contacts')).body._embedded
    expect(contacts.map(({ name }: { name: string }) => name)).toEqual([
      '=HYPERLINK("http://x")',
      '=1+1',
      '@cmd',
    ])
    expect(contacts[0].custom_fields_values[0].values[0].value).toBe('0055501')
    expect(contacts[1].custom_fields_values[0].values[0].value).toBe('+15550101')
    expect(job).toMatchObject({ added: 3 })
    const refused = await imported(here, browser, 'leads', 'name,price\n=2+2,many\n')
    const file = await browser.get(`/web/v4/jobs/${refused.id}/failures?format=csv`)
    expect(file.text).toContain('\r\n"\'=2+2","many",')
    // Numbers are read by the delimiter, so the file for corrections has that of the first one.
    const european = await imported(here, browser, 'leads', 'name;price\n"a, =1";many\n')
    const again = await browser.get(`/web/v4/jobs/${european.id}/failures?format=csv`)
    expect(again.text).toContain('\r\n"a,\' =1";"many";')
    const { body } = await upload(browser, 'leads', Buffer.from(again.text))
    expect(body.import.rows[0].slice(0, 2)).toEqual(['a, =1', 'many'])
  })

  test.each<[string, Buffer, boolean]>([
    ['one invalid byte in UTF-8', Buffer.concat([Buffer.from(CYRILLIC), Buffer.from([0xff])]), true],
    ['an old code page', in1251(CYRILLIC), true],
    ['UTF-8', Buffer.from(CYRILLIC), false],
    ['letters of English alone', Buffer.from('name\nAnn\n'), false],
  ])('reports whether its encoding is a guess: %s', async (_name, bytes, is_guessed) => {
    const { admin } = await world()
    const { body } = await upload(admin.browser, 'contacts', bytes)
    expect(body.import.is_encoding_guessed).toBe(is_guessed)
    expect(body.import.rows[0][0]).toMatch(/^(Ёлка Петрова|Ann)$/)
  })

  test('without rows is refused, with NUL as the reason', async () => {
    const { admin } = await world()
    const answer = await upload(admin.browser, 'contacts', Buffer.from('n\0a\0m\0e\0,\0\0\0\0\0'))
    expect([answer.status, answer.body.detail]).toEqual([
      400,
      'The file contains NUL bytes and cannot be read as text. Save it as CSV in UTF-8.',
    ])
  })

  test('with compression is refused with the name of the header', async () => {
    const { admin, ctx } = await world()
    const answer = await admin.browser.send(
      'POST',
      '/web/v4/jobs/imports?entity_type=contacts&name=a.csv',
      'x',
      {
        'content-type': 'text/csv',
        'content-encoding': 'gzip',
      },
    )
    expect([answer.status, answer.body.title]).toEqual([415, 'Unsupported Media Type'])
    expect(answer.body.detail).toContain('Content-Encoding')
    expect(await ctx.db.selectFrom('jobs').selectAll().execute()).toEqual([])
  })

  const many = (count: number, row: string) => Array.from({ length: count }, () => row).join('')
  test.each<[string, string | Buffer, string, number]>([
    ['nothing', '', 'csv_empty', 400],
    ['a workbook', Buffer.from('504b03040a0a0a0a2c0a', 'hex'), 'csv_workbook', 400],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae10a2c0a', 'hex'), 'csv_workbook', 400],
    ['only a header', 'name,phone\n', 'csv_empty', 400],
    ['an unclosed quote', `name\n"Ann\n${many(20_000, 'a line of text\n')}`, 'csv_malformed', 400],
    ['a quote that ends too early', 'name,phone\n"Ann" Lee,1\n', 'csv_malformed', 400],
    ['too many rows', `name\n${many(50_001, 'a\n')}`, 'csv_rows', 400],
    ['too many columns', `${many(251, 'a,')}b\nc\n`, 'csv_columns', 400],
    ['too many bytes', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'), 'too_large', 413],
  ])('is refused with %s, and nothing is stored', async (_name, csv, code, status) => {
    const { admin, ctx, folder } = await world()
    const answer = await upload(admin.browser, 'contacts', csv)
    expect([answer.status, answer.body.type?.split('#')[1]]).toEqual([status, code])
    const jobs = await ctx.db.selectFrom('jobs').selectAll().execute()
    expect(jobs).toEqual([])
    expect(blobsIn(folder)).toEqual([])
  })

  test('of 20 MiB is accepted', async () => {
    const { admin, folder } = await world()
    const row = `${'x'.repeat(1_000)},y\n`
    const csv = `name,about\n${many(Math.floor((20 * 1024 * 1024 - 20) / row.length), row)}`
    const { status, body } = await upload(admin.browser, 'companies', csv)
    expect(status).toBe(200)
    expect(body.total).toBe(csv.split('\n').length - 2)
    expect(blobsIn(folder).length).toBe(5)
  })
})

const blobsIn = (folder: string): string[] => {
  try {
    return readdirSync(join(folder, 'files', 'imports'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\/\d+$/.test(name.replace(/^\d+\/[0-9a-f]+$/, '')),
    )
  } catch {
    return []
  }
}
