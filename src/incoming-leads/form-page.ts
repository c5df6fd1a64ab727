import type { Language } from '../events/event-types.ts'
import { escapeHtml, htmlPage, languageOf } from '../marketing/marketing.ts'
import type { ShownField } from './form-fields.ts'
import type { builtIn } from './form-types.ts'

export type Fault = 'missing' | 'wrong' | 'long'
/** A reason for which the whole form was not taken, and that no field has. */
type Alert = 'refused' | 'busy'

interface Texts {
  labels: Record<(typeof builtIn)[number]['key'], string>
  send: string
  choose: string
  optional: string
  faults: Record<Fault, string>
  /** The expected value of a control, where the control says it. */
  expected: Partial<Record<ShownField['control'], string>>
  alerts: Record<Alert, string>
  thanks: string
  taken: string
  trap: string
}

// biome-ignore format: a table
const texts: Record<Language, Texts> = {
  en: {
    labels: { name: 'Name', phone: 'Phone', email: 'Email', text: 'Message' },
    send: 'Send', choose: 'Please choose', optional: 'optional',
    faults: { missing: 'Please fill in this field.', wrong: 'Please check this field.', long: 'This text is too long. Please shorten it.' },
    expected: { tel: 'Please enter a phone number.', email: 'Please enter an email address, such as anna@example.com.', number: 'Please enter a number.', url: 'Please enter an address, such as https://example.com.' },
    alerts: { refused: 'The form could not be sent. Please check the fields.', busy: 'We have received too many forms from your network. Please wait a minute and send yours again.' },
    thanks: 'Thank you!', taken: 'We have received your message.', trap: 'Leave this field empty',
  },
  es: {
    labels: { name: 'Nombre', phone: 'Teléfono', email: 'Correo electrónico', text: 'Mensaje' },
    send: 'Enviar', choose: 'Elija una opción', optional: 'opcional',
    faults: { missing: 'Rellene este campo.', wrong: 'Revise este campo.', long: 'El texto es demasiado largo. Acórtelo.' },
    expected: { tel: 'Escriba un número de teléfono.', email: 'Escriba un correo electrónico, como ana@example.com.', number: 'Escriba un número.', url: 'Escriba una dirección, como https://example.com.' },
    alerts: { refused: 'No se ha podido enviar el formulario. Revise los campos.', busy: 'Hemos recibido demasiados formularios de su red. Espere un minuto y vuelva a enviar el suyo.' },
    thanks: '¡Gracias!', taken: 'Hemos recibido su mensaje.', trap: 'Deje este campo vacío',
  },
  ru: {
    labels: { name: 'Имя', phone: 'Телефон', email: 'Электронная почта', text: 'Сообщение' },
    send: 'Отправить', choose: 'Выберите вариант', optional: 'необязательно',
    faults: { missing: 'Заполните это поле.', wrong: 'Проверьте это поле.', long: 'Текст слишком длинный. Сократите его.' },
    expected: { tel: 'Введите номер телефона.', email: 'Введите адрес электронной почты, например anna@example.com.', number: 'Введите число.', url: 'Введите адрес, например https://example.com.' },
    alerts: { refused: 'Форму не удалось отправить. Проверьте поля.', busy: 'Из вашей сети пришло слишком много форм. Подождите минуту и отправьте форму ещё раз.' },
    thanks: 'Спасибо!', taken: 'Мы получили ваше сообщение.', trap: 'Оставьте это поле пустым',
  },
  pt: {
    labels: { name: 'Nome', phone: 'Telefone', email: 'E-mail', text: 'Mensagem' },
    send: 'Enviar', choose: 'Escolha uma opção', optional: 'opcional',
    faults: { missing: 'Preencha este campo.', wrong: 'Verifique este campo.', long: 'O texto é longo demais. Encurte-o.' },
    expected: { tel: 'Digite um número de telefone.', email: 'Digite um e-mail, como ana@example.com.', number: 'Digite um número.', url: 'Digite um endereço, como https://example.com.' },
    alerts: { refused: 'Não foi possível enviar o formulário. Verifique os campos.', busy: 'Recebemos formulários demais da sua rede. Aguarde um minuto e envie o seu novamente.' },
    thanks: 'Obrigado!', taken: 'Recebemos sua mensagem.', trap: 'Deixe este campo vazio',
  },
}

/** A visitor's input, with its errors. */
export interface Filled {
  values: ReadonlyMap<string, string>
  faults: ReadonlyMap<string, Fault>
  alert: Alert | null
  /** The page that contains the form. */
  page: string
}

/** The name of the field that people do not see and programs fill in. */
export const TRAP = 'website'
/** The name of the hidden field with the page that contains the form. */
export const PAGE = '_page'

/** A form in the account's language. */
export function formHtml(
  account: { language: string },
  form: { name: string },
  fields: readonly ShownField[],
  filled: Filled,
): string {
  const lang = languageOf(account.language)
  const { send, alerts, trap } = texts[lang]
  const content =
    `<h1>${escapeHtml(form.name)}</h1>` +
    (filled.alert ? `<p role="alert">${alerts[filled.alert]}</p>` : '') +
    '<form method="post" class="fields" novalidate>' +
    fields.map((field) => fieldHtml(field, filled, texts[lang])).join('') +
    `<div class="trap" aria-hidden="true"><label>${trap}<input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>` +
    `<input type="hidden" name="${PAGE}" value="${escapeHtml(filled.page)}"><button>${send}</button></form>`
  return htmlPage(lang, form.name, content)
}

function fieldHtml(field: ShownField, { values, faults }: Filled, words: Texts): string {
  const { key, is_required, control, label } = field
  const fault = faults.get(key)
  const name = label ?? words.labels[key as keyof Texts['labels']]
  const shown = escapeHtml(name) + (is_required ? '' : ` <span>(${words.optional})</span>`)
  const attributes =
    `name="${key}"${is_required ? ' required' : ''}` +
    (fault ? ` aria-invalid="true" aria-describedby="${key}-fault"` : '') +
    (key in autocomplete ? ` autocomplete="${autocomplete[key]}"` : '')
  const said = fault && ((fault === 'wrong' && words.expected[control]) || words.faults[fault])
  const wrong = said ? `<span class="wrong" id="${key}-fault">${said}</span>` : ''
  const value = escapeHtml(values.get(key) ?? '')
  if (control === 'checkbox')
    return `<label class="check"><input type="checkbox" value="1" ${attributes}${value ? ' checked' : ''}><span>${shown}</span>${wrong}</label>`
  return `<label><span>${shown}</span>${inputHtml(field, attributes, value, words)}${wrong}</label>`
}

const autocomplete: Record<string, string> = { name: 'name', phone: 'tel', email: 'email' }

function inputHtml(
  { control, choices }: ShownField,
  attributes: string,
  value: string,
  words: Texts,
): string {
  if (control === 'textarea') return `<textarea ${attributes}>${value}</textarea>`
  if (control !== 'select') {
    const type = control === 'number' ? 'text" inputmode="decimal' : control
    return `<input type="${type}" value="${value}" ${attributes}>`
  }
  const options = choices.map((choice) => {
    const shown = escapeHtml(choice)
    return `<option value="${shown}"${shown === value ? ' selected' : ''}>${shown}</option>`
  })
  return `<select ${attributes}><option value="">${words.choose}</option>${options.join('')}</select>`
}

/** A check mark in a circle. */
const DONE =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9.2"/><path d="m8.2 12.4 2.6 2.6 5-5.4"/></svg>'

/** The page after a form was sent, with the company's words or ours. */
export function formThanksHtml(
  { language }: { language: string },
  form: { name: string; thanks: string },
): string {
  const lang = languageOf(language)
  const { thanks, taken } = texts[lang]
  const text = form.thanks.trim() ? escapeHtml(form.thanks).replaceAll(/\r?\n/g, '<br>') : taken
  return htmlPage(lang, form.name, `<div role="status">${DONE}<h1>${thanks}</h1><p>${text}</p></div>`)
}
