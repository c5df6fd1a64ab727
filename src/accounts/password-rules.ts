import { commonWords, walks } from './common-passwords.ts'

/** Characters that a password must have beside what everybody would try first. */
const OWN_CHARACTERS = 5
const SHORTEST_WALK = 3

/** Why nobody should have this password, in a public sentence; null when it will do. Length is the schema's. */
export function passwordWeakness(password: string, person: { name: string; email: string }): string | null {
  const text = password.normalize('NFC').toLowerCase()
  const words = [...commonWords, ...partsOf(person)]
  if (ownCharacters(smallestUnit(text), words) >= OWN_CHARACTERS) return null
  return 'This password is among the first that anybody would try. Choose one that is less common and holds neither the name nor the e-mail.'
}

/** The words of a person's name and e-mail that are long enough to be meant. */
const partsOf = ({ name, email }: { name: string; email: string }): string[] =>
  `${name} ${email}`
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => [...word].length >= 3)

/** `abcdabcdabcd` is `abcd` three times, and no better than that. */
function smallestUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit
  }
  return text
}

/** Letters written as the digits and signs that look like them. */
const spellings = [
  {},
  { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
  { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'l' },
] as const satisfies Record<string, string>[]

/** Characters that are left when common words, walks, years and repetitions are taken away. */
function ownCharacters(text: string, words: readonly string[]): number {
  const readings = spellings.map((spelling: Record<string, string>) =>
    [...text].map((letter) => spelling[letter] ?? letter).join(''),
  )
  let own = 0
  for (let at = 0; at < text.length; ) {
    const known = Math.max(
      ...readings.map((reading) => longestWord(reading, at, words)),
      longestWalk(text, at),
      repetition(text, at),
      /^(?:19|20)\d\d/.test(text.slice(at)) ? 4 : 0,
    )
    if (known === 0) own++
    at += known || 1
  }
  return own
}

const longestWord = (text: string, at: number, words: readonly string[]): number =>
  words.reduce(
    (longest, word) => (word.length > longest && text.startsWith(word, at) ? word.length : longest),
    0,
  )

const paths = walks.flatMap((walk) => [walk, [...walk].reverse().join('')])

function longestWalk(text: string, at: number): number {
  let longest = 0
  for (const path of paths) {
    for (
      let start = path.indexOf(text[at] as string);
      start >= 0;
      start = path.indexOf(text[at] as string, start + 1)
    ) {
      let length = 1
      while (path[start + length] !== undefined && path[start + length] === text[at + length]) length++
      if (length >= SHORTEST_WALK && length > longest) longest = length
    }
  }
  return longest
}

function repetition(text: string, at: number): number {
  let length = 1
  while (text[at + length] === text[at]) length++
  return length >= SHORTEST_WALK ? length : 0
}
