import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package.ts'
import { ToolError } from './connection.ts'

const MOST_SECTIONS = 10
const LONGEST_EXCERPT = 600

interface Section {
  file: string
  heading: string
  text: string
}

let read: Section[] | undefined

/** The names of the guides in `docs/`, and the README. */
const names = (): string[] => ['README.md', ...globSync('docs/**/*.md', { cwd: packageFolder }).sort()]

/** Sections with all words, those with the words in their heading first. */
export function searchGuides(query: string): object {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  read ??= names().flatMap(sectionsOf)
  const found = read.filter(({ heading, text }) => has(`${heading}\n${text}`))
  const [first, rest] = [
    found.filter(({ heading }) => has(heading)),
    found.filter(({ heading }) => !has(heading)),
  ]
  const shown = [...first, ...rest].slice(0, MOST_SECTIONS)
  return {
    found: found.length,
    sections: shown.map(({ text, ...place }) => ({ ...place, excerpt: excerptOf(text, words) })),
    files: found.length === 0 ? names() : undefined,
  }
}

/** A guide, or one of its sections. Throws ToolError if there is no such guide or section. */
export function readGuide(file: string, heading?: string): string {
  // Only names of the list: a caller must not read other files.
  if (!names().includes(file))
    throw new ToolError(`There is no guide ${file}. The guides are: ${names().join(', ')}`)
  if (heading === undefined) return readFileSync(join(packageFolder, file), 'utf8')
  const sections = sectionsOf(file)
  const section = sections.find((one) => one.heading === heading)
  if (!section)
    throw new ToolError(
      `${file} has no section "${heading}". Its sections are: ${sections.map((one) => one.heading).join(', ')}`,
    )
  return section.text
}

function sectionsOf(file: string): Section[] {
  return readFileSync(join(packageFolder, file), 'utf8')
    .split(/^(?=#{1,4} )/m)
    .map((text) => ({ file, heading: /^#+ (.*)/.exec(text)?.[1] ?? file, text }))
}

/** The text around the first of the words. */
function excerptOf(text: string, words: string[]): string {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? ''))
  const start = Math.max(0, at - LONGEST_EXCERPT / 3)
  return text.slice(start, start + LONGEST_EXCERPT).trim()
}
