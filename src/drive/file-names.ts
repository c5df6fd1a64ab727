/** A file name: the name that people see, and the extension. */
export interface FileName {
  name: string
  /** In lower case; empty if there is none. */
  extension: string
}

/** Characters, as the schemas of bodies count them: code points. */
export const LONGEST = 255
/**
 * Control and invisible formatting characters, which can disguise a name: with U+202E, `exe.fdp` is displayed as
 * `pdf.exe`.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/**
 * Parses a client's file name. It is never used as a path here, and cannot be a path traversal for a program that
 * saves the file.
 */
export function readFileName(given: string): FileName {
  const whole = cleanName(given)
  const [, name = whole, extension = ''] = /^(.*[^.].*)\.([A-Za-z0-9]{1,16})$/.exec(whole) ?? []
  const ending = extension === '' ? 0 : extension.length + 1
  return { name: cut(name, LONGEST - ending), extension: extension.toLowerCase() }
}

/** Parses a new name of a file. The extension belongs to the bytes and stays, even if the name repeats it. */
export function readNewName(given: string, extension: string): string {
  const whole = cleanName(given)
  const ending = `.${extension}`
  const isRepeated = extension !== '' && whole.toLowerCase().endsWith(ending) && whole.length > ending.length
  return cut(isRepeated ? whole.slice(0, -ending.length) : whole, LONGEST)
}

function cleanName(given: string): string {
  const name = given.normalize('NFC').replace(UNSEEN, '').replace(/[/\\]/g, '_').trim().replace(/\.+$/, '')
  return name === '' ? 'file' : name
}

/** The first characters of a name, without dots at the end. Normalization can make a text longer. */
function cut(name: string, most: number): string {
  const begin = isLonger(name, most) ? [...name].slice(0, most).join('') : name
  return begin.replace(/\.+$/, '') || 'file'
}

/** Whether a text has more than this number of characters. */
export const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most

export const fullName = ({ name, extension }: FileName): string =>
  extension === '' ? name : `${name}.${extension}`

/** The text that searches compare. */
export const searchName = (file: FileName): string => fullName(file).toLowerCase()

/** Transliterations of letters that are not Latin letters with a diacritic. */
const latin: Record<string, string> = Object.fromEntries(
  (
    'а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh ' +
    'щ:sch ъ:_ ы:y ь:_ э:e ю:yu я:ya і:i ї:yi є:ye ґ:g ł:l ø:o đ:d ß:ss æ:ae œ:oe'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

/** The name in ASCII letters, digits, dots, dashes and underscores, which is valid on every system. */
export function sanitizedName(name: string): string {
  const plain = [...name.normalize('NFC')]
    .map((letter) => {
      const known = latin[letter.toLowerCase()]
      if (known === undefined) return letter
      return letter === letter.toLowerCase() ? known : known.charAt(0).toUpperCase() + known.slice(1)
    })
    .join('')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, LONGEST)
  return plain === '' ? 'file' : plain
}

/** `Content-Disposition` of a download (RFC 6266): an ASCII name for old programs, and the full name (RFC 8187). */
export function dispositionOf(file: FileName): string {
  const ascii = fullName({ name: sanitizedName(file.name), extension: file.extension })
  const encoded = encodeURIComponent(fullName(file).toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
