import { type Actor, auditAs, lockAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { CustomFieldRow } from '../../db/tables.ts'
import type { FieldType } from '../fields/field-types.ts'
import { findFields, insertFields } from '../fields/queries.ts'
import type { EnumDraft } from './enum-drafts.ts'
import { newRows, refuseMore } from './field-changes.ts'
import type { Drafted } from './field-drafts.ts'

/** A name in each language. */
type Words = readonly [en: string, es: string, ru: string, pt: string]
const languages = ['en', 'es', 'ru', 'pt']

interface ListField {
  code: string
  type: FieldType
  words: Words
  /** Choices by their codes. A choice without a code has an empty one. */
  choices?: Readonly<Record<string, Words>>
}

const statuses = {
  created: ['Created', 'Creada', 'Создан', 'Criada'],
  paid: ['Paid', 'Pagada', 'Оплачен', 'Paga'],
  paid_in_advance: ['Paid in advance', 'Pagada por anticipado', 'Оплачен в аванс', 'Paga antecipadamente'],
  partially_paid: ['Partially paid', 'Pagada parcialmente', 'Частично оплачен', 'Parcialmente paga'],
} as const
const taxes = {
  vat_exempt: ['Exempt from tax', 'Exenta de impuestos', 'Не облагается НДС', 'Isenta de impostos'],
  vat_included: ['Tax included', 'Impuestos incluidos', 'НДС входит в стоимость', 'Impostos incluídos'],
  vat_not_included: [
    'Tax is added to the price',
    'Los impuestos se añaden al precio',
    'НДС начисляется поверх стоимости',
    'Impostos somados ao preço',
  ],
} as const

/** Fields that a list of a type has from the beginning (docs/wire/catalogs.md#fields-of-the-types). */
// biome-ignore format: one line a field
const fields: Readonly<Record<string, readonly ListField[]>> = {
  products: [
    { code: 'SKU', type: 'text', words: ['SKU', 'SKU', 'Артикул', 'SKU'] },
    { code: 'DESCRIPTION', type: 'textarea', words: ['Description', 'Descripción', 'Описание', 'Descrição'] },
    { code: 'PRICE', type: 'price', words: ['Price', 'Precio', 'Цена', 'Preço'] },
    { code: 'GROUP', type: 'category', words: ['Group', 'Grupo', 'Группа', 'Grupo'], choices: { '': ['General', 'General', 'Общее', 'Geral'] } },
    { code: 'EXTERNAL_ID', type: 'text', words: ['External ID', 'ID externo', 'Внешний ID', 'ID externo'] },
  ],
  invoices: [
    { code: 'BILL_STATUS', type: 'select', words: ['Status', 'Estado', 'Статус', 'Status'], choices: statuses },
    { code: 'LEGAL_ENTITY', type: 'legal_entity', words: ['Legal entity', 'Persona jurídica', 'Юр. лицо', 'Pessoa jurídica'] },
    { code: 'PAYER', type: 'payer', words: ['Payer', 'Pagador', 'Плательщик', 'Pagador'] },
    { code: 'ITEMS', type: 'items', words: ['Items', 'Artículos', 'Позиции счета', 'Itens'] },
    { code: 'BILL_VAT_TYPE', type: 'select', words: ['Tax', 'Impuestos', 'Тип НДС', 'Impostos'], choices: taxes },
    { code: 'BILL_PAYMENT_DATE', type: 'date_time', words: ['Payment date', 'Fecha de pago', 'Дата оплаты', 'Data de pagamento'] },
    { code: 'BILL_COMMENT', type: 'textarea', words: ['Comment', 'Comentario', 'Комментарий', 'Comentário'] },
    { code: 'BILL_PRICE', type: 'numeric', words: ['Total', 'Total', 'Итоговая сумма к оплате', 'Total'] },
  ],
  suppliers: [
    { code: 'SUPPLIER_VAT_ID', type: 'text', words: ['Tax ID', 'Número fiscal', 'ИНН', 'Número fiscal'] },
    { code: 'SUPPLIER_TAX_REGISTRATION_REASON_CODE', type: 'text', words: ['Tax registration code', 'Código de registro fiscal', 'КПП', 'Código de registro fiscal'] },
    { code: 'SUPPLIER_PRIMARY_STATE_REGISTRATION_NUMBER', type: 'text', words: ['Registration number', 'Número de registro', 'ОГРН', 'Número de registro'] },
    { code: 'SUPPLIER_BANK_IDENTIFICATION_CODE', type: 'text', words: ['Bank code', 'Código del banco', 'БИК', 'Código do banco'] },
    { code: 'SUPPLIER_ACCOUNT_NUMBER', type: 'text', words: ['Account number', 'Número de cuenta', 'Расчетный счет', 'Número da conta'] },
    { code: 'SUPPLIER_LEGAL_ADDRESS', type: 'text', words: ['Legal address', 'Domicilio legal', 'Юр. адрес', 'Endereço legal'] },
    { code: 'SUPPLIER_REAL_ADDRESS', type: 'text', words: ['Address', 'Dirección', 'Факт. адрес', 'Endereço'] },
    { code: 'SUPPLIER_DIRECTOR_NAME', type: 'text', words: ['Director', 'Director', 'ФИО руководителя', 'Diretor'] },
    { code: 'SUPPLIER_DIRECTOR_POST', type: 'text', words: ['Position of the director', 'Cargo del director', 'Должность руководителя', 'Cargo do diretor'] },
    { code: 'SUPPLIER_ACCOUNTANT_NAME', type: 'text', words: ['Accountant', 'Contable', 'ФИО бухгалтера', 'Contador'] },
    { code: 'SUPPLIER_ACCOUNTANT_POST', type: 'text', words: ['Position of the accountant', 'Cargo del contable', 'Должность бухгалтера', 'Cargo do contador'] },
    { code: 'SUPPLIER_PHONE', type: 'text', words: ['Phone', 'Teléfono', 'Телефон', 'Telefone'] },
  ],
}

interface List {
  id: number
  type: string
}

/** Adds the fields of the type of a list, named in the language of the account, and without those that it has. */
export async function addListFields(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  language: string,
  list: List,
  has: (code: string) => boolean = () => false,
): Promise<CustomFieldRow[]> {
  const drafted = draftsOf(actor.account_id, Math.max(0, languages.indexOf(language)), list).filter(
    ({ row }) => !has(row.code as string),
  )
  if (drafted.length === 0) return []
  const rows = await newRows(ctx, tx, drafted)
  await insertFields(tx, rows)
  return rows
}

const draftsOf = (account_id: number, language: number, { id, type }: List): Drafted[] =>
  (fields[type] ?? []).map(({ code, type, words, choices = {} }, i) => ({
    row: {
      account_id,
      entity_type: 'catalogs',
      catalog_id: id,
      group_id: null,
      type,
      name: words[language] as string,
      code,
      sort: (i + 1) * 10,
      is_api_only: 0,
      is_predefined: 0,
      is_deletable: 1,
      is_disabled: 0,
      origin: null,
      settings: '{}',
    },
    enums: Object.entries(choices).map(
      ([code, words], i): EnumDraft => ({
        id: null,
        value: words[language] as string,
        sort: i + 1,
        code: code || null,
      }),
    ),
  }))

/** Adds the fields of the type of a list that it does not have. */
export async function completeListFields(ctx: Context, actor: Actor, list: List): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const { language } = await lockAccount(tx, actor.account_id)
    const found = await findFields(tx, actor.account_id, 'catalogs', list.id)
    const missing = (fields[list.type] ?? []).filter(({ code }) => !found.byCode.has(code))
    refuseMore(found, missing.length)
    const added = await addListFields(ctx, tx, actor, language, list, (code) => found.byCode.has(code))
    const named = added.map(({ id, name, entity_type }) => ({ id, name, entity_type }))
    if (named.length > 0) await auditAs(ctx, tx, actor, 'field.added', ...named)
  })
}
