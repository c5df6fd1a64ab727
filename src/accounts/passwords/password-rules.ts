import { commonWords, walks } from './common-passwords.ts'

/** Characters that a password must have apart from common words, names and sequences (A23). */
const OWN_CHARACTERS = 5
const SHORTEST_WALK = 3

/** A public explanation of why the password is weak; null if it is acceptable. The schema checks the length. */
export function passwordWeakness(password: string, person: { name: string; email: string }): string | null {
  const words = [...commonWords, ...partsOf(person)]
  if (ownCharacters(smallestUnit(password.normalize('NFC')), words) >= OWN_CHARACTERS) return null
  return 'This password is easy to guess. Choose one that is less common and contains neither the name nor the e-mail.'
}

/** The words of a person's name and e-mail that are long enough to matter. */
const partsOf = ({ name, email }: { name: string; email: string }): string[] =>
  `${name} ${email}`
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => [...word].length >= 3)

/** Reduces repetitions: `abcdabcdabcd` is no better than `abcd`. */
function smallestUnit(password: string): string {
  const text = password.toLowerCase()
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return password.slice(0, length)
  }
  return password
}

/** Digits and symbols that stand for the letters that they look like. */
const spellings = [
  {},
  { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
  { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'l' },
] as const satisfies Record<string, string>[]

/** Counts the characters that remain without common words, keyboard walks, years and repetitions. */
function ownCharacters(password: string, words: readonly string[]): number {
  const text = password.toLowerCase()
  const isPlain = (at: number, length: number) => isPlainlySpelled(password.slice(at, at + length))
  const readings = spellings.map((spelling: Record<string, string>) =>
    [...text].map((letter) => spelling[letter] ?? letter).join(''),
  )
  let own = 0
  for (let at = 0; at < text.length; ) {
    const known = Math.max(
      ...readings.map((reading) => longestWord(reading, at, words, isPlain)),
      longestWalk(text, at),
      repetition(text, at),
      /^(?:19|20)\d\d/.test(text.slice(at)) ? 4 : 0,
    )
    if (known === 0) own++
    at += known || 1
  }
  return own
}

/** Whether the word is spelled `word`, `Word` or `WORD`: attackers try other mixtures of case later. */
const isPlainlySpelled = (word: string): boolean => /^.(?:\P{Lu}*|\P{Ll}*)$/su.test(word)

const longestWord = (
  text: string,
  at: number,
  words: readonly string[],
  isPlain: (at: number, length: number) => boolean,
): number =>
  words.reduce(
    (longest, { length }, i) =>
      length > longest && text.startsWith(words[i] as string, at) && isPlain(at, length) ? length : longest,
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
