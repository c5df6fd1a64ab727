import type { Changes } from './change-schemas.ts'

/**
 * The event types. Each row has the platform's number, the names in the product's four languages, the shape of the
 * values before and after, the value filters that apply, and what lists and timelines need to show an event.
 */

export type ChangeName = keyof Changes

/** Filters by value, by their key in `filter[value_after]` and `filter[value_before]`. */
export const valueFilters = [
  'leads_statuses',
  'customers_statuses',
  'responsible_user_id',
  'custom_field_values',
  'value',
] as const
export type ValueFilter = (typeof valueFilters)[number]

/** The groups of types, in the order in which the web application lists them. */
export const eventGroups = [
  'record',
  'lead',
  'contact',
  'company',
  'customer',
  'task',
  'talk',
  'note',
  'marketing',
  'field',
] as const
export type EventGroup = (typeof eventGroups)[number]

/** The kinds of items in a timeline. */
export const timelineKinds = ['change', 'note', 'call', 'file', 'message', 'task'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** The platform's four languages, in the order of the columns below. */
export const languages = ['en', 'es', 'ru', 'pt'] as const
export type Language = (typeof languages)[number]
/** A text in the order of `languages`. */
export type Words = readonly [en: string, es: string, ru: string, pt: string]
export const inLanguage = (words: Words, language: Language): string =>
  words[languages.indexOf(language)] as string

export interface EventKind {
  number: number
  group: EventGroup
  /** The kind of the event in a timeline. Every event of a task is a `task` there. */
  timeline: TimelineKind
  names: Words
  /** The form of the change on each side. An omitted side stays empty. */
  after?: ChangeName
  before?: ChangeName
  filters?: readonly ValueFilter[]
  /** The event creates its record. */
  isCreation?: true
  /** The author of an event without a user, if not the server. */
  actor?: 'client' | 'bot' | 'automation'
}

const both = <Name extends ChangeName>(name: Name) => ({ after: name, before: name }) as const
const note = { after: 'note' } as const
const created = { ...note, isCreation: true } as const
const link = { after: 'link' } as const
const unlink = { before: 'unlink' } as const
const message = { after: 'message' } as const
const helpbot = { after: 'helpbot' } as const
const value = { filters: ['value'] } as const

// biome-ignore format: one line a type
export const eventTypes = {
  lead_added: { number: 1, group: 'lead', timeline: 'change', names: ['New lead', 'Nuevo lead', 'Новая сделка', 'Novo lead'], ...created },
  lead_deleted: { number: 7, group: 'lead', timeline: 'change', names: ['Lead deleted', 'Lead eliminado', 'Сделка удалена', 'Lead excluído'] },
  lead_restored: { number: 10, group: 'lead', timeline: 'change', names: ['Lead restored', 'Lead restaurado', 'Сделка восстановлена', 'Lead restaurado'] },
  lead_status_changed: { number: 14, group: 'lead', timeline: 'change', names: ['Lead stage changed', 'Etapa del lead cambiada', 'Изменение этапа продажи', 'Etapa do lead alterada'], ...both('lead_status'), filters: ['leads_statuses'], actor: 'automation' },
  lead_linked: { number: 80, group: 'lead', timeline: 'change', names: ['Lead linked', 'Lead vinculado', 'Прикрепление сделки', 'Lead vinculado'], ...link },
  lead_unlinked: { number: 84, group: 'lead', timeline: 'change', names: ['Lead unlinked', 'Lead desvinculado', 'Открепление сделки', 'Lead desvinculado'], ...unlink },
  contact_added: { number: 2, group: 'contact', timeline: 'change', names: ['New contact', 'Nuevo contacto', 'Новый контакт', 'Novo contato'], ...created },
  contact_deleted: { number: 8, group: 'contact', timeline: 'change', names: ['Contact deleted', 'Contacto eliminado', 'Контакт удален', 'Contato excluído'] },
  contact_restored: { number: 11, group: 'contact', timeline: 'change', names: ['Contact restored', 'Contacto restaurado', 'Контакт восстановлен', 'Contato restaurado'] },
  contact_linked: { number: 81, group: 'contact', timeline: 'change', names: ['Contact linked', 'Contacto vinculado', 'Прикрепление контакта', 'Contato vinculado'], ...link },
  contact_unlinked: { number: 85, group: 'contact', timeline: 'change', names: ['Contact unlinked', 'Contacto desvinculado', 'Открепление контакта', 'Contato desvinculado'], ...unlink },
  company_added: { number: 3, group: 'company', timeline: 'change', names: ['New company', 'Nueva empresa', 'Новая компания', 'Nova empresa'], ...created },
  company_deleted: { number: 9, group: 'company', timeline: 'change', names: ['Company deleted', 'Empresa eliminada', 'Компания удалена', 'Empresa excluída'] },
  company_restored: { number: 12, group: 'company', timeline: 'change', names: ['Company restored', 'Empresa restaurada', 'Компания восстановлена', 'Empresa restaurada'] },
  company_linked: { number: 82, group: 'company', timeline: 'change', names: ['Company linked', 'Empresa vinculada', 'Прикрепление компании', 'Empresa vinculada'], ...link },
  company_unlinked: { number: 86, group: 'company', timeline: 'change', names: ['Company unlinked', 'Empresa desvinculada', 'Открепление компании', 'Empresa desvinculada'], ...unlink },
  customer_added: { number: 20, group: 'customer', timeline: 'change', names: ['New customer', 'Nuevo cliente', 'Новый покупатель', 'Novo cliente'], ...created },
  customer_deleted: { number: 53, group: 'customer', timeline: 'change', names: ['Customer deleted', 'Cliente eliminado', 'Покупатель удален', 'Cliente excluído'] },
  customer_status_changed: { number: 57, group: 'customer', timeline: 'change', names: ['Customer stage changed', 'Etapa del cliente cambiada', 'Изменение этапа покупателя', 'Etapa do cliente alterada'], ...both('customer_status'), filters: ['customers_statuses'] },
  customer_linked: { number: 83, group: 'customer', timeline: 'change', names: ['Customer linked', 'Cliente vinculado', 'Прикрепление покупателя', 'Cliente vinculado'], ...link },
  customer_unlinked: { number: 87, group: 'customer', timeline: 'change', names: ['Customer unlinked', 'Cliente desvinculado', 'Открепление покупателя', 'Cliente desvinculado'], ...unlink },
  task_added: { number: 49, group: 'task', timeline: 'task', names: ['New task', 'Nueva tarea', 'Новая задача', 'Nova tarefa'], actor: 'automation' },
  task_deleted: { number: 51, group: 'task', timeline: 'task', names: ['Task deleted', 'Tarea eliminada', 'Задача удалена', 'Tarefa excluída'] },
  task_completed: { number: 29, group: 'task', timeline: 'task', names: ['Task completed', 'Tarea completada', 'Завершение задачи', 'Tarefa concluída'] },
  task_type_changed: { number: 76, group: 'task', timeline: 'task', names: ['Task type changed', 'Tipo de tarea cambiado', 'Изменение типа задачи', 'Tipo de tarefa alterado'], ...both('task_type') },
  task_text_changed: { number: 77, group: 'task', timeline: 'task', names: ['Task text changed', 'Texto de la tarea cambiado', 'Изменение текста задачи', 'Texto da tarefa alterado'], ...both('task_text') },
  task_deadline_changed: { number: 78, group: 'task', timeline: 'task', names: ['Task due date changed', 'Fecha de la tarea cambiada', 'Изменение даты исполнения задачи', 'Prazo da tarefa alterado'], ...both('task_deadline') },
  task_result_added: { number: 33, group: 'task', timeline: 'task', names: ['Task result added', 'Resultado de la tarea añadido', 'Результат по задаче', 'Resultado da tarefa adicionado'], ...note },
  incoming_call: { number: 17, group: 'talk', timeline: 'call', names: ['Incoming call', 'Llamada entrante', 'Входящий звонок', 'Chamada recebida'], ...note, actor: 'client' },
  outgoing_call: { number: 30, group: 'talk', timeline: 'call', names: ['Outgoing call', 'Llamada saliente', 'Исходящий звонок', 'Chamada efetuada'], ...note },
  incoming_chat_message: { number: 89, group: 'talk', timeline: 'message', names: ['Incoming message', 'Mensaje entrante', 'Входящее сообщение', 'Mensagem recebida'], ...message, actor: 'client' },
  outgoing_chat_message: { number: 90, group: 'talk', timeline: 'message', names: ['Outgoing message', 'Mensaje saliente', 'Исходящее сообщение', 'Mensagem enviada'], ...message, actor: 'bot' },
  incoming_sms: { number: 41, group: 'talk', timeline: 'message', names: ['Incoming SMS', 'SMS entrante', 'Входящее SMS', 'SMS recebido'], ...note, actor: 'client' },
  outgoing_sms: { number: 42, group: 'talk', timeline: 'message', names: ['Outgoing SMS', 'SMS saliente', 'Исходящее SMS', 'SMS enviado'], ...note },
  entity_tag_added: { number: 63, group: 'record', timeline: 'change', names: ['Tags added', 'Etiquetas añadidas', 'Теги добавлены', 'Etiquetas adicionadas'], after: 'tag', actor: 'automation' },
  entity_tag_deleted: { number: 64, group: 'record', timeline: 'change', names: ['Tags removed', 'Etiquetas eliminadas', 'Теги убраны', 'Etiquetas removidas'], before: 'tag', actor: 'automation' },
  entity_linked: { number: 72, group: 'record', timeline: 'change', names: ['Linked', 'Vinculado', 'Прикрепление', 'Vinculado'], ...link },
  entity_unlinked: { number: 73, group: 'record', timeline: 'change', names: ['Unlinked', 'Desvinculado', 'Открепление', 'Desvinculado'], ...unlink },
  sale_field_changed: { number: 69, group: 'record', timeline: 'change', names: ['Field “Sale” changed', 'Campo «Venta» cambiado', 'Изменение поля «Бюджет»', 'Campo “Venda” alterado'], ...both('sale'), ...value },
  name_field_changed: { number: 70, group: 'record', timeline: 'change', names: ['Field “Name” changed', 'Campo «Nombre» cambiado', 'Изменение поля «Название»', 'Campo “Nome” alterado'], ...both('name'), ...value },
  ltv_field_changed: { number: 88, group: 'customer', timeline: 'change', names: ['Amount of purchases', 'Total de compras', 'Сумма покупок', 'Total de compras'], ...both('ltv'), ...value },
  custom_field_value_changed: { number: 24, group: 'field', timeline: 'change', names: ['Field changed', 'Campo cambiado', 'Изменение поля', 'Campo alterado'], ...both('custom_field_value'), filters: ['custom_field_values', 'value'] },
  entity_responsible_changed: { number: 25, group: 'record', timeline: 'change', names: ['Responsible user changed', 'Usuario responsable cambiado', 'Ответственный изменен', 'Usuário responsável alterado'], ...both('responsible_user'), filters: ['responsible_user_id'], actor: 'automation' },
  robot_replied: { number: 74, group: 'talk', timeline: 'message', names: ['Bot replied', 'El bot respondió', 'Ответ робота', 'O robô respondeu'], ...helpbot, actor: 'bot' },
  intent_identified: { number: 75, group: 'talk', timeline: 'message', names: ['Topic of the question identified', 'Tema de la pregunta identificado', 'Тема вопроса определена', 'Assunto da pergunta identificado'], ...helpbot, actor: 'bot' },
  nps_rate_added: { number: 91, group: 'marketing', timeline: 'change', names: ['New NPS rating', 'Nueva valoración NPS', 'Новая оценка NPS', 'Nova avaliação NPS'], after: 'nps', ...value, actor: 'client' },
  link_followed: { number: 59, group: 'marketing', timeline: 'change', names: ['Link followed', 'Enlace abierto', 'Переход по ссылке', 'Link acessado'], ...note, actor: 'client' },
  transaction_added: { number: 26, group: 'customer', timeline: 'change', names: ['Purchase', 'Compra', 'Покупка', 'Compra'], after: 'transaction' },
  common_note_added: { number: 27, group: 'note', timeline: 'note', names: ['New note', 'Nueva nota', 'Новое примечание', 'Nova nota'], ...note },
  common_note_deleted: { number: 79, group: 'note', timeline: 'note', names: ['Note deleted', 'Nota eliminada', 'Примечание удалено', 'Nota excluída'], ...note },
  attachment_note_added: { number: 28, group: 'note', timeline: 'file', names: ['New file', 'Nuevo archivo', 'Добавлен новый файл', 'Novo arquivo'], ...note },
  targeting_in_note_added: { number: 31, group: 'marketing', timeline: 'change', names: ['Added to an audience', 'Añadido a una audiencia', 'Добавление в ретаргетинг', 'Adicionado a um público'], ...note },
  targeting_out_note_added: { number: 32, group: 'marketing', timeline: 'change', names: ['Removed from an audience', 'Quitado de una audiencia', 'Удаление из ретаргетинга', 'Removido de um público'], ...note },
  geo_note_added: { number: 38, group: 'note', timeline: 'note', names: ['New note with a place', 'Nueva nota con ubicación', 'Новое примечание с гео-меткой', 'Nova nota com localização'], ...note },
  service_note_added: { number: 39, group: 'note', timeline: 'note', names: ['New system note', 'Nueva nota del sistema', 'Новое системное примечание', 'Nova nota do sistema'], ...note },
  site_visit_note_added: { number: 18, group: 'marketing', timeline: 'change', names: ['Site visit', 'Visita al sitio', 'Заход на сайт', 'Visita ao site'], ...note, actor: 'client' },
  message_to_cashier_note_added: { number: 60, group: 'note', timeline: 'note', names: ['Message to the cashier', 'Mensaje al cajero', 'Сообщение кассиру', 'Mensagem ao caixa'], ...note },
  entity_merged: { number: 92, group: 'record', timeline: 'change', names: ['Records merged', 'Registros fusionados', 'Выполнено объединение', 'Registros mesclados'] },
} as const satisfies Record<string, EventKind>

export type EventType = keyof typeof eventTypes

/** The types whose rows contain these members. */
export type EventTypeWith<Members extends Partial<EventKind>> = {
  [T in EventType]: (typeof eventTypes)[T] extends Members ? T : never
}[EventType]

/** The types that can be filtered by a value. */
export type FilteredEventType = EventTypeWith<{ filters: readonly ValueFilter[] }>

/** The types without values. */
export type PlainEventType = Exclude<
  EventType,
  EventTypeWith<{ after: ChangeName }> | EventTypeWith<{ before: ChangeName }>
>

/**
 * Types of the live service that nothing causes here, with its numbers. A filter accepts them and finds nothing, because
 * clients ask for them beside types that are recorded.
 */
// biome-ignore format: a few types a line
export const unrecordedTypes = {
  incoming_mail: 16, outgoing_mail: 152, entity_direct_message: 150,
  talk_created: 119, talk_closed: 120, talk_missed_event: 122, conversation_answered: 135,
  meta_chat_subscription_added: 136, meta_chat_subscription_removed: 137,
  entity_segment_attached: 94, entity_segment_detached: 95, segment_created: 101,
  video_opened: 97, video_closed: 98, picture_opened: 99, picture_closed: 100, zoom_conference: 96,
  invoice_paid: 62, invoice_created: 118, key_action_completed: 116, ai_result: 153,
  page_mention: 151, dropbox_attachment: 40,
} as const satisfies Record<string, number>

/** A type that a filter accepts. */
export type FilteredType = EventType | keyof typeof unrecordedTypes

export const isFilteredType = (name: string): name is FilteredType =>
  Object.hasOwn(eventTypes, name) || Object.hasOwn(unrecordedTypes, name)

export const numberOfType = (type: FilteredType): number =>
  eventKindOf(type)?.number ?? unrecordedTypes[type as keyof typeof unrecordedTypes]

type Side<T extends EventType, Name extends 'after' | 'before'> = (typeof eventTypes)[T] extends {
  readonly [N in Name]: infer Change extends ChangeName
}
  ? { [N in Name]: Changes[Change][] }
  : { [N in Name]?: never }

/** A new event. Its sides have the forms that the table declares, and an undeclared side cannot be given. */
export type EventDraft = {
  [T in EventType]: {
    type: T
    /** `lead`, `contact`, `company`, `customer`, `task`, `catalog_<id>`. */
    entity_type: EventEntityType
    entity_id: number
    /** The changed field. */
    field?: { id: number; name: string }
    talk_contact_id?: number
    /** Another record whose card also shows the event. */
    card_id?: number
  } & Side<T, 'after'> &
    Side<T, 'before'>
}[EventType]

export type EventEntityType = 'lead' | 'contact' | 'company' | 'customer' | 'task' | `catalog_${number}`

const byNumber = new Map(
  Object.entries(eventTypes).map(([type, { number }]) => [number as number, type as EventType]),
)

export const eventTypeOf = (number: number): EventType | undefined => byNumber.get(number)

const kinds: Readonly<Record<string, EventKind | undefined>> = eventTypes

/** The row of a type, without the literal types of the table. */
export const eventKindOf = (type: string): EventKind | undefined => kinds[type]

/** Whether events of a type can be filtered by a value. */
export const takesFilter = (type: string, name: ValueFilter): boolean =>
  kinds[type]?.filters?.includes(name) ?? false

/** The type that a filter on values implies because it fits no other. The choices of a field need the field in the type. */
export function impliedType(name: ValueFilter): EventType | undefined {
  const types = (Object.keys(eventTypes) as EventType[]).filter((type) => takesFilter(type, name))
  return types.length === 1 && name !== 'custom_field_values' ? types[0] : undefined
}
