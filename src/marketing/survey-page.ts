import type { Language } from '../events/event-types.ts'
import { escapeHtml, htmlPage, languageOf } from './visitor-page.ts'

interface Texts {
  title: string
  question: (name: string) => string
  /** The labels of the ends of the scale. */
  ends: [low: string, high: string]
  /** The accessible name of a button. */
  rate: (rate: number) => string
  none: string
  thanks: string
  taken: string
}

// biome-ignore format: a table
const texts: Record<Language, Texts> = {
  en: {
    title: 'Your rating',
    question: (name) => `How likely are you to recommend ${name} to friends or colleagues?`,
    ends: ['1: not at all likely', '10: extremely likely'],
    rate: (rate) => `${rate} of 10`,
    none: 'Please choose a number from 1 to 10.',
    thanks: 'Thank you!',
    taken: 'Your rating has been received.',
  },
  es: {
    title: 'Su valoración',
    question: (name) => `¿Qué probabilidad hay de que recomiende ${name} a sus amigos o colegas?`,
    ends: ['1: nada probable', '10: muy probable'],
    rate: (rate) => `${rate} de 10`,
    none: 'Elija un número del 1 al 10.',
    thanks: '¡Gracias!',
    taken: 'Hemos recibido su valoración.',
  },
  ru: {
    title: 'Ваша оценка',
    question: (name) => `Насколько вероятно, что вы порекомендуете ${name} друзьям или коллегам?`,
    ends: ['1: маловероятно', '10: очень вероятно'],
    rate: (rate) => `${rate} из 10`,
    none: 'Выберите число от 1 до 10.',
    thanks: 'Спасибо!',
    taken: 'Ваша оценка принята.',
  },
  pt: {
    title: 'Sua avaliação',
    question: (name) => `Qual é a probabilidade de você recomendar ${name} a amigos ou colegas?`,
    ends: ['1: nada provável', '10: muito provável'],
    rate: (rate) => `${rate} de 10`,
    none: 'Escolha um número de 1 a 10.',
    thanks: 'Obrigado!',
    taken: 'Recebemos sua avaliação.',
  },
}

/** A form with ten buttons, in the account's language. `isRefused` shows that no valid rating was sent. */
export function surveyHtml(account: { name: string; language: string }, isRefused: boolean): string {
  const lang = languageOf(account.language)
  const { title, question, ends, rate, none } = texts[lang]
  const buttons = Array.from(
    { length: 10 },
    (_, i) => `<button name="rate" value="${i + 1}" aria-label="${rate(i + 1)}">${i + 1}</button>`,
  )
  return htmlPage(
    lang,
    title,
    `<p class="who">${escapeHtml(account.name)}</p><form method="post"><fieldset><legend><h1>${escapeHtml(question(account.name))}</h1></legend>` +
      (isRefused ? `<p role="alert">${none}</p>` : '') +
      `<div class="rates">${buttons.join('')}</div></fieldset>` +
      `<p class="ends"><span>${ends[0]}</span><span>${ends[1]}</span></p></form>`,
  )
}

/** A check mark in a circle. */
const DONE =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9.2"/><path d="m8.2 12.4 2.6 2.6 5-5.4"/></svg>'

export function thanksHtml({ language }: { language: string }): string {
  const lang = languageOf(language)
  const { title, thanks, taken } = texts[lang]
  return htmlPage(lang, title, `${DONE}<h1>${thanks}</h1><p>${taken}</p>`)
}
