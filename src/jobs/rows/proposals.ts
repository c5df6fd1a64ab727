import type { Field, FieldSet } from '../../custom-fields/custom-fields.ts'
import { normalized } from '../../normal-forms.ts'
import { WRITTEN_DATE } from './cells.ts'
import type { ImportedType, Target } from './targets.ts'
import { fieldOfTarget } from './targets.ts'

export interface MappedColumn {
  column: number
  target: string
}

/** Names of columns in the four languages of the application. A field also matches its own name. */
const names: Record<string, string> = {
  name: 'name|full name|nombre|nombre completo|nome|nome completo|имя и фамилия|фио|полное имя|наименование|название|название или имя',
  first_name: 'first name|given name|primer nombre|nombre de pila|primeiro nome|имя',
  last_name: 'last name|surname|family name|apellido|apellidos|sobrenome|apelido|фамилия',
  price:
    'price|sale|amount|value|budget|sum|precio|venta|importe|valor|presupuesto|monto|preço|venda|orçamento|montante|бюджет|бюджет сделки|бюджет руб|сумма|цена|стоимость',
  pipeline: 'pipeline|funnel|embudo|funil|воронка',
  stage: 'stage|status|etapa|estado|fase|этап|статус|стадия|этап сделки|статус сделки',
  responsible:
    'responsible|owner|manager|assigned to|responsible user|responsable|propietario|gestor|responsável|proprietário|ответственный|менеджер|ответственный за сделку',
  tags: 'tags|tag|labels|etiquetas|etiqueta|marcadores|теги|тег|теги сделки|теги контакта|теги компании|метки',
  created_at:
    'created|created at|created on|date created|creation date|creado|fecha de creación|criado|criado em|data de criação|создано|дата создания|дата создания сделки|дата создания контакта|дата создания компании',
  id: 'id|record id|id in this account|id en esta cuenta|id nesta conta|ид|id в этом аккаунте',
}
const byType: Record<ImportedType, Record<string, string>> = {
  contacts: {
    'company.name':
      'company|company name|organization|organisation|empresa|compañía|nombre de la empresa|empresa nombre|nome da empresa|empresa nome|компания|организация|название компании|компания название',
    name: 'contact|contact name|contacto|contato|nome do contato|контакт|контактное лицо|имя контакта',
  },
  companies: {
    name: 'company|company name|organization|organisation|empresa|compañía|razón social|nome da empresa|razão social|компания|организация|название компании',
  },
  leads: {
    name: 'lead|lead name|deal|deal name|deal title|title|opportunity|trato|oportunidad|negocio|nombre del lead|título|negócio|oportunidade|сделка|название сделки',
    'contact.name':
      'contact|contact name|person|customer|client|contacto|persona|cliente|contato|pessoa|контакт|контактное лицо|имя контакта|полное имя контакта|полное имя контакт|основной контакт|клиент|main contact|contacto nombre|contato nome|контакт имя',
    'contact.phone':
      'phone|contact phone|mobile|telephone|teléfono|móvil|celular|telefone|телефон|рабочий телефон|мобильный телефон|телефон контакта|contacto teléfono|contato telefone|контакт телефон',
    'contact.email':
      'email|e-mail|mail|contact email|correo|correo electrónico|почта|электронная почта|рабочий email|email контакта|contacto correo|contato e-mail|контакт почта',
    'company.name':
      'company|company name|organization|organisation|empresa|compañía|nombre de la empresa|empresa nombre|nome da empresa|empresa nome|компания|организация|название компании|компания название',
    'company.phone':
      'company phone|teléfono de la empresa|empresa teléfono|telefone da empresa|empresa telefone|телефон компании|компания телефон',
  },
}
/** Names of the labels of telephone numbers and addresses, as exports of the platform have them. */
const labels: Record<string, string> = {
  'PHONE.WORKDD': 'work direct phone|direct phone|рабочий прямой телефон',
  'PHONE.MOB':
    'mobile|mobile phone|cell phone|móvil|celular|teléfono móvil|telemóvel|мобильный|мобильный телефон',
  'PHONE.FAX': 'fax|факс',
  'PHONE.HOME': 'home phone|teléfono de casa|telefone residencial|домашний телефон',
  'PHONE.OTHER': 'other phone|otro teléfono|outro telefone|другой телефон',
  'EMAIL.PRIV': 'personal email|private email|correo personal|email pessoal|личный email',
  'EMAIL.OTHER': 'other email|otro correo|outro email|другой email',
}
/** Additional names of predefined fields. */
const codes: Record<string, string> = {
  PHONE:
    'phone|work phone|telephone|tel|mobile|mobile phone|phone number|teléfono|móvil|celular|telefone|telemóvel|телефон|рабочий телефон|мобильный|мобильный телефон|номер телефона',
  EMAIL:
    'email|e-mail|mail|email address|work email|correo|correo electrónico|e mail|почта|электронная почта|рабочий email',
  POSITION: 'position|job title|job|cargo|puesto|função|должность',
  WEB: 'web|website|site|url|sitio web|página web|сайт|веб-сайт',
  ADDRESS: 'address|dirección|endereço|адрес',
}

const plain = (text: string): string =>
  normalized(text, 'NFKC')
    .toLowerCase()
    .replace(/[_\-.,:*#№()[\]/\\\p{Sc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** An export for people adds the zone to the names of columns with times. */
const withoutZone = (name: string): string => name.replace(/ \((?:UTC|[A-Za-z_]+(?:\/[\w+-]+)+)\)$/, '')

type KeysByName = ReadonlyMap<string, string>

/** The first key that has each name. A name without letters and digits names nothing. */
function keysByName(rows: Iterable<readonly [key: string, name: string]>): KeysByName {
  const keys = new Map<string, string>()
  for (const [key, name] of rows) {
    const found = plain(name)
    if (found !== '' && !keys.has(found)) keys.set(found, key)
  }
  return keys
}

const keysOf = (table: Record<string, string>): KeysByName =>
  keysByName(
    Object.entries(table).flatMap(([key, list]) => list.split('|').map((name) => [key, name] as const)),
  )

const general = keysOf(names)
const members: Record<ImportedType, KeysByName> = {
  contacts: keysOf(byType.contacts),
  companies: keysOf(byType.companies),
  leads: keysOf(byType.leads),
}
const labelled = keysOf(labels)
const coded = keysOf(codes)

// The last part has no dots, so that matching does not start again at each of them.
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/
const WEB = /^(https?:\/\/|www\.)\S+$/i
const PHONE = /^\+?[\d\s().-]{7,20}$/
const DIGITS = /^\d+$/

/** How values look in columns with unknown names. A day also consists of digits and dots, and is no telephone number. */
const looks: [code: string, isAlike: (cell: string) => boolean][] = [
  ['EMAIL', (cell) => ADDRESS.test(cell)],
  ['WEB', (cell) => WEB.test(cell)],
  ['PHONE', (cell) => PHONE.test(cell) && !WRITTEN_DATE.test(cell)],
]
const LONGEST_SAMPLE = 255

/** Proposes a target for each column, by its name, a field code or its values. */
export function proposeMapping(
  type: ImportedType,
  columns: readonly string[],
  samples: readonly string[][],
  targets: readonly Target[],
  fields: FieldSet,
): MappedColumn[] {
  const byTarget = new Map(targets.map((one) => [one.target, one]))
  const taken = new Set<string>()
  const mapping: MappedColumn[] = []
  const propose = (column: number, target: string | undefined) => {
    const found = target === undefined ? undefined : byTarget.get(target)
    if (!found || mapping.some((one) => one.column === column)) return
    if (taken.has(found.target) && !found.is_repeatable) return
    taken.add(found.target)
    mapping.push({ column, target: found.target })
  }
  const cellsOf = (column: number) => samples.map((row) => (row[column] ?? '').slice(0, LONGEST_SAMPLE))
  const named = ownNames(targets, fields)
  // Priority: names of the account's own fields, general names, values.
  const ways: ((name: string, column: number) => string | undefined)[] = [
    (name) => named.get(name),
    (name) => members[type].get(name) ?? general.get(name),
    (name) => fieldCoded(name, fields),
    (_name, column) => targetOfValues(type, cellsOf(column), fields, taken),
  ]
  for (const way of ways)
    for (const [column, name] of columns.entries()) {
      propose(column, way(plain(name), column))
      propose(column, way(plain(withoutZone(name)), column))
    }
  return mapping.toSorted((a, b) => a.column - b.column)
}

/** The targets of the account's own fields by their names. */
const ownNames = (targets: readonly Target[], fields: FieldSet): KeysByName =>
  keysByName(
    targets.flatMap(({ target, part }) => {
      const { name = '', code = null } = fieldOfTarget(target, fields)?.field ?? {}
      const called = [name, code ?? ''].filter((one) => plain(one) !== '')
      // `Phone (work)`, as exports write it. The part alone would be ambiguous.
      return called.map((one) => [target, part === null ? one : `${one} ${part}`] as const)
    }),
  )

function fieldCoded(name: string, fields: FieldSet): string | undefined {
  const [code = '', part] = labelled.get(name)?.split('.') ?? []
  const field = fields.byCode.get(code)
  if (field?.enums.some((one) => one.code === part)) return `${targetOf(field)}.${part}`
  return targetOf(fields.byCode.get(coded.get(name) ?? ''))
}

const targetOf = (field: Field | undefined): string | undefined => field && `field.${field.id}`

const relatedTargets: Record<string, string> = { EMAIL: 'contact.email', PHONE: 'contact.phone' }

/**
 * The target that the values of a column look like. Columns of mere digits beside one of telephone numbers are rather numbers of
 * something else, such as orders or taxpayers.
 */
function targetOfValues(
  type: ImportedType,
  cells: string[],
  fields: FieldSet,
  taken: ReadonlySet<string>,
): string | undefined {
  const filled = cells.filter(Boolean)
  const code = looks.find(([, isAlike]) => {
    const alike = filled.filter(isAlike).length
    return alike > 0 && alike >= filled.length * 0.8
  })?.[0]
  if (code === undefined) return undefined
  const target = type === 'leads' ? relatedTargets[code] : targetOf(fields.byCode.get(code))
  return target !== undefined && taken.has(target) && filled.every((cell) => DIGITS.test(cell))
    ? undefined
    : target
}
