import type { Reason } from '../errors.ts'
import type { Language } from '../events/event-types.ts'
import { htmlPage, preferredLanguage } from '../marketing/marketing.ts'

type Failure = 'long' | 'stranger' | 'later'

const texts: Record<Language, Record<Failure, [title: string, text: string]>> = {
  en: {
    long: ['The form is too long', 'Please go back, shorten your text and send it again.'],
    stranger: [
      'The form could not be sent',
      'This website is not allowed to send the form. Please contact the company in another way.',
    ],
    later: ['Please try again later', 'Please go back, wait a minute and try again.'],
  },
  es: {
    long: ['El formulario es demasiado largo', 'Vuelva atrás, acorte el texto y envíelo de nuevo.'],
    stranger: [
      'No se ha podido enviar el formulario',
      'Este sitio web no puede enviar el formulario. Póngase en contacto con la empresa de otra manera.',
    ],
    later: ['Inténtelo más tarde', 'Vuelva atrás, espere un minuto e inténtelo de nuevo.'],
  },
  ru: {
    long: ['Форма слишком длинная', 'Вернитесь назад, сократите текст и отправьте его ещё раз.'],
    stranger: [
      'Форму не удалось отправить',
      'Этому сайту нельзя отправлять форму. Свяжитесь с компанией другим способом.',
    ],
    later: ['Попробуйте позже', 'Вернитесь назад, подождите минуту и попробуйте ещё раз.'],
  },
  pt: {
    long: ['O formulário é longo demais', 'Volte, encurte o texto e envie de novo.'],
    stranger: [
      'Não foi possível enviar o formulário',
      'Este site não pode enviar o formulário. Entre em contato com a empresa de outra forma.',
    ],
    later: ['Tente novamente mais tarde', 'Volte, aguarde um minuto e tente novamente.'],
  },
}

const failures: Partial<Record<Reason, Failure>> = {
  too_large: 'long',
  forbidden: 'stranger',
  too_many: 'later',
  unavailable: 'later',
  full: 'later',
}

/** The page for a visitor whose form was refused, in their language: the account may be unknown. */
export function failureHtml(reason: Reason, acceptLanguage: string | undefined): string | undefined {
  const failure = failures[reason]
  if (!failure) return undefined
  const lang = preferredLanguage(acceptLanguage)
  const [title, text] = texts[lang][failure]
  return htmlPage(lang, title, `<div role="alert"><h1>${title}</h1><p>${text}</p></div>`)
}
