import { describe, expect, test } from 'vitest'
import { dispositionOf, readFileName, readNewName, sanitizedName } from './file-names.ts'

const given: [string, string, string, string][] = [
  ['report.pdf', 'report', 'pdf', 'report'],
  ['Report.PDF', 'Report', 'pdf', 'Report'],
  ['archive.tar.gz', 'archive.tar', 'gz', 'archive.tar'],
  ['README', 'README', '', 'README'],
  ['.bashrc', '.bashrc', '', 'bashrc'],
  ['a.', 'a', '', 'a'],
  ['a. .pdf', 'a. ', 'pdf', 'a'],
  ['no extension. At all', 'no extension. At all', '', 'no_extension._At_all'],
  ['../../etc/passwd', '.._.._etc_passwd', '', 'etc_passwd'],
  ['..', 'file', '', 'file'],
  ['/', '_', '', 'file'],
  ['C:\\Windows\\cmd.exe', 'C:_Windows_cmd', 'exe', 'C_Windows_cmd'],
  ['a\u0000b\r\nSet-Cookie: x=1.txt', 'abSet-Cookie: x=1', 'txt', 'abSet-Cookie_x_1'],
  ['photo\u202Egnp.exe', 'photognp', 'exe', 'photognp'],
  ['\u2066a\u2069\u200Bb\uFEFF.txt', 'ab', 'txt', 'ab'],
  ['\u202E\u0000', 'file', '', 'file'],
  ['"quoted"; filename=x.html', '"quoted"; filename=x', 'html', 'quoted_filename_x'],
  ['Отчёт за май.docx', 'Отчёт за май', 'docx', 'Otchet_za_may'],
  ['Щука Ёж.txt', 'Щука Ёж', 'txt', 'Schuka_Ezh'],
  ['Łódź Straße café.txt', 'Łódź Straße café', 'txt', 'Lodz_Strasse_cafe'],
  ['cafe\u0301.txt', 'café', 'txt', 'cafe'],
  ['漢字.txt', '漢字', 'txt', 'file'],
  ['😀.png', '😀', 'png', 'file'],
  ['a\uD800b.txt', 'ab', 'txt', 'ab'],
  ['__proto__', '__proto__', '', 'proto'],
  [`${'😀'.repeat(251)}.pdf`, '😀'.repeat(251), 'pdf', 'file'],
  [`a${'😀'.repeat(250)}.pdf`, `a${'😀'.repeat(250)}`, 'pdf', 'a'],
  // A letter that normalization replaces by two.
  [`${'\u0958'.repeat(251)}.pdf`, `${'\u0915\u093C'.repeat(125)}\u0915`, 'pdf', 'file'],
  ['😀'.repeat(255), '😀'.repeat(255), '', 'file'],
  ['constructor.js', 'constructor', 'js', 'constructor'],
]

describe('A name of a file', () => {
  test.each(given)(
    '%j has the name %j and the extension %j, and is %j in ASCII',
    (text, name, extension, ascii) => {
      expect(readFileName(text)).toEqual({ name, extension })
      expect(sanitizedName(name)).toBe(ascii)
    },
  )

  test.each<[string, string, string]>([
    ['new', 'pdf', 'new'],
    ['new.pdf', 'pdf', 'new'],
    ['new.PDF', 'pdf', 'new'],
    ['new.exe', 'pdf', 'new.exe'],
    ['new.pdf', '', 'new.pdf'],
    ['.pdf', 'pdf', '.pdf'],
    ['a/b\u202E', 'pdf', 'a_b'],
    [`${'😀'.repeat(255)}`, 'pdf', '😀'.repeat(255)],
    [`${'😀'.repeat(251)}.pdf`, 'pdf', '😀'.repeat(251)],
    [`${'\u0958'.repeat(128)}.pdf`, 'pdf', `${'\u0915\u093C'.repeat(127)}\u0915`],
  ])('%j for a file with the extension %j gives %j: the extension stays', (text, extension, name) => {
    expect(readNewName(text, extension)).toBe(name)
  })

  test.each<[string, string, string]>([
    ['a b', 'txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%20b.txt`],
    ['Отчёт', '', `attachment; filename="Otchet"; filename*=UTF-8''%D0%9E%D1%82%D1%87%D1%91%D1%82`],
    [
      `it's (a) *"test"`,
      'js',
      `attachment; filename="it_s_a_test.js"; filename*=UTF-8''it%27s%20%28a%29%20%2A%22test%22.js`,
    ],
    ['x\r\ny\uD800', 'txt', `attachment; filename="x_y.txt"; filename*=UTF-8''x%0D%0Ay%EF%BF%BD.txt`],
  ])('%j with %j is encoded in the header', (name, extension, header) => {
    expect(dispositionOf({ name, extension })).toBe(header)
  })
})
