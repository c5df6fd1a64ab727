import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '../data/session.ts'
import type administratorsEn from './administrators-en.ts'
import type en from './en.ts'
import { pluralZero } from './plurals.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'web'
    resources: { web: typeof en & typeof administratorsEn }
  }
}

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  ru: 'Русский',
  pt: 'Português',
}
export const languages = Object.keys(languageNames) as Language[]

const catalogues = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  ru: () => import('./ru.ts'),
  pt: () => import('./pt.ts'),
} satisfies Record<Language, () => Promise<unknown>>

/** The texts of some pages for administrators, which nobody else loads. */
const administratorCatalogues = {
  en: () => import('./administrators-en.ts'),
  es: () => import('./administrators-es.ts'),
  ru: () => import('./administrators-ru.ts'),
  pt: () => import('./administrators-pt.ts'),
} satisfies Record<Language, () => Promise<unknown>>

let isForAdministrators = false
const withAdministratorTexts = new Set<Language>()

const kept = 'patchbay-language'

export const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

/** Returns the language before sign-in: the last choice, or the first supported language of the browser. */
function preferredLanguage(): Language {
  const candidates = [localStorage.getItem(kept), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return candidates.find(isLanguage) ?? 'en'
}

export async function startTranslations(): Promise<void> {
  await i18next.use(initReactI18next).init({
    defaultNS: 'web',
    ns: ['web'],
    resources: {},
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  pluralZero(i18next)
  await speak(preferredLanguage())
}

/** Loads the texts of a language and switches to it. */
export async function speak(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'web')) {
    const catalogue = await catalogues[language]()
    i18next.addResourceBundle(language, 'web', catalogue.default)
  }
  if (isForAdministrators) await addAdministratorTexts(language)
  localStorage.setItem(kept, language)
  document.documentElement.lang = language
  if (i18next.language !== language) await i18next.changeLanguage(language)
}

/** Switches to the stored language. Right after an upgrade of the server, its texts come with the page, loaded again. */
export const switchTo = (language: Language): Promise<void> =>
  speak(language).catch(() => window.location.reload())

/** Loads the texts of these pages in the current language, and from then on in each other one too. */
export async function speakToAdministrators(): Promise<void> {
  isForAdministrators = true
  await addAdministratorTexts(i18next.language as Language)
}

async function addAdministratorTexts(language: Language): Promise<void> {
  if (withAdministratorTexts.has(language)) return
  const catalogue = await administratorCatalogues[language]()
  i18next.addResourceBundle(language, 'web', catalogue.default, true)
  withAdministratorTexts.add(language)
}
