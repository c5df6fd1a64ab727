/** Browsers and systems by their mark in a `User-Agent`. The first match counts: most browsers name others, too. */
const browsers: readonly [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Yandex', /\bYaBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
]
const systems: readonly [name: string, mark: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

const named = (names: typeof browsers, text: string) => names.find(([, mark]) => mark.test(text))?.[0]

/** The names of the browser and the system, such as `Firefox, Linux`; undefined if neither is known. */
export function deviceName(user_agent: string): string | undefined {
  const names = [named(browsers, user_agent), named(systems, user_agent)].filter((name) => name !== undefined)
  return names.length > 0 ? names.join(', ') : undefined
}
