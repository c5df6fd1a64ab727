import type { Page } from '@playwright/test'
import { catalogue, type Language } from './words.ts'

/** A text that a person reads or hears on a page. */
interface Said {
  text: string
  /** The attribute or element that contains it. */
  where: string
}

/** Collects the texts of a page: its title, visible text, and accessible attributes. Code is skipped. */
const saying = `(() => {
  // The number of unread conversations comes before the title.
  const said = [{ text: document.title.replace(/^\\(\\d+\\) /, ''), where: 'title of the page' }]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.nodeType === 3 ? node.parentElement : node
    if (element.closest('script, style, code, pre, kbd, textarea, [data-portal="devtools"]')) continue
    if (!element.checkVisibility()) continue
    if (node.nodeType === 3) said.push({ text: node.data, where: element.tagName.toLowerCase() })
    else
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'aria-roledescription'])
        if (node.hasAttribute(name)) said.push({ text: node.getAttribute(name), where: name })
  }
  return said.map(({ text, where }) => ({ text: text.replaceAll(/\\s+/g, ' ').trim(), where })).filter(({ text }) => text)
})()`

/** Content of the account: texts from the server are not translated. */
export class Data {
  readonly #texts = new Set<string>()
  #all: string | undefined

  /** Records all texts that the server sends to the page. */
  listen(page: Page): void {
    page.on('response', async (response) => {
      const type = response.headers()['content-type'] ?? ''
      if (!/\bjson\b/.test(type) || !/\/web\//.test(response.url())) return
      // The account's initial names are in its language.
      if (/\/account(?:\?|$)/.test(response.url())) return
      const body = await response.json().catch(() => null)
      this.add(body)
    })
  }

  add(value: unknown): void {
    // A description is HTML, whose texts appear separately on the page.
    if (typeof value === 'string')
      for (const text of [value, ...value.split(/<[^<>]*>/)])
        this.#texts.add(text.replaceAll(/\s+/g, ' ').trim())
    else if (value && typeof value === 'object') {
      // The application shows the name of a file with its extension.
      const { name, metadata } = value as { name?: unknown; metadata?: { extension?: string } | null }
      if (metadata?.extension) this.add(`${name}.${metadata.extension}`)
      for (const one of Object.values(value)) this.add(one)
    }
    this.#all = undefined
  }

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  /** Whether a text is part of a text from the server. */
  holds(text: string): boolean {
    this.#all ??= [...this.#texts].join('\n')
    return this.#all.includes(text.replace(/…$/, ''))
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns a pattern of a text with placeholders; null if it has hardly any words of its own. */
function patternOf(entry: string): RegExp | null {
  const words = entry.replaceAll(/\{\{\w+\}\}/g, ' ')
  if (!entry.includes('{{') || (words.match(/\p{L}{3,}/gu) ?? []).length < 2) return null
  return new RegExp(
    `^${entry
      .split(/\{\{\w+\}\}/)
      .map(escaped)
      .join('.+')}$`,
    'u',
  )
}

/** Finds texts on a page that are not in the reader's language. */
export function finderOf(language: Exclude<Language, 'en'>, data: Data) {
  const english = catalogue('en')
  const own = catalogue(language)
  const ownTexts = new Set(own.values())
  const ownPatterns = [...own.values()].flatMap((entry) => patternOf(entry) ?? [])
  const strange = [...english].filter(([key, text]) => own.get(key) !== text && !ownTexts.has(text))
  const texts = new Set(strange.map(([, text]) => text))
  const patterns = strange.flatMap(([, text]) => patternOf(text) ?? [])
  const sections = new Set([...english.keys()].map((key) => key.split('.')[0]))
  const rawKey = new RegExp(`(?:^|\\s)(?:${[...sections].join('|')})(?:\\.[a-z][a-z0-9_]*)+(?:\\s|$)`, 'i')

  const faultOf = ({ text }: Said): string | undefined => {
    if (data.has(text)) return undefined
    if (/\{\{|\}\}/.test(text)) return 'a value that is missing'
    if (rawKey.test(text)) return 'a key'
    if (texts.has(text) || patterns.some((one) => one.test(text))) return 'English'
    // Adjacent names do not match any text.
    const isOwn = (part: string) => ownTexts.has(part) || ownPatterns.some((one) => one.test(part))
    const isStrange = (part: string) => isLatin(part) && !isOwn(part) && !data.holds(part)
    if (language === 'ru' && !isOwn(text) && isStrange(text) && text.split(BETWEEN).some(isStrange))
      return 'Latin letters alone'
    return undefined
  }
  const faultsOn = async (page: Page): Promise<string[]> => {
    const said = await page.evaluate<Said[]>(saying)
    const { pathname } = new URL(page.url())
    return said.flatMap((one) => {
      const fault = faultOf(one)
      return fault ? [`${pathname}: ${fault} in ${one.where}: ${one.text}`] : []
    })
  }
  return async (page: Page): Promise<string[]> => {
    const found = await faultsOn(page)
    if (found.length === 0) return found
    // The latest response may not have been recorded yet.
    await page.waitForTimeout(500)
    return faultsOn(page)
  }
}

/** Separators between names. */
const BETWEEN = / · |: |, | — | – | \/ | \(|\)$/

/** Names and addresses that are in Latin letters in all languages. */
const names =
  /Patchbay|API|English|Español|Português|[A-Z][a-z]+\/[A-Z]\w+|UTC|GMT|[A-Z]{3}|\S+@\S+|https?:\S+|localhost:\S+|\/\S+/g

/** Whether a text has Latin words and no Cyrillic ones. */
const isLatin = (text: string): boolean =>
  !/\p{Script=Cyrillic}/u.test(text) && /\p{Script=Latin}{3,}/u.test(text.replaceAll(names, ''))
