import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { AccountRow, CustomFieldGroupRow } from '../../db/tables.ts'
import type { FieldType } from '../fields/field-types.ts'
import type { FieldOwner } from '../fields/fields.ts'
import { insertFields, insertGroups } from '../fields/queries.ts'
import { labelDrafts } from './enum-drafts.ts'
import { newRows } from './field-changes.ts'
import type { Drafted } from './field-drafts.ts'

/** Names of the default fields and groups, by account language. */
const words = {
  en: {
    phone: 'Phone',
    email: 'Email',
    position: 'Position',
    web: 'Web',
    address: 'Address',
    main: 'Main',
    statistics: 'Statistics',
  },
  es: {
    phone: 'Teléfono',
    email: 'Correo',
    position: 'Cargo',
    web: 'Sitio web',
    address: 'Dirección',
    main: 'Principal',
    statistics: 'Estadísticas',
  },
  ru: {
    phone: 'Телефон',
    email: 'Email',
    position: 'Должность',
    web: 'Web',
    address: 'Адрес',
    main: 'Основное',
    statistics: 'Статистика',
  },
  pt: {
    phone: 'Telefone',
    email: 'E-mail',
    position: 'Cargo',
    web: 'Site',
    address: 'Endereço',
    main: 'Principal',
    statistics: 'Estatísticas',
  },
} as const
type Word = keyof (typeof words)['en']

const predefined: [FieldOwner, code: string, FieldType, Word][] = [
  ['contacts', 'PHONE', 'multitext', 'phone'],
  ['contacts', 'EMAIL', 'multitext', 'email'],
  ['contacts', 'POSITION', 'text', 'position'],
  ['companies', 'PHONE', 'multitext', 'phone'],
  ['companies', 'EMAIL', 'multitext', 'email'],
  ['companies', 'WEB', 'url', 'web'],
  ['companies', 'ADDRESS', 'textarea', 'address'],
]

/** Labels of telephone numbers and e-mail addresses. */
const labels: Record<string, string[]> = {
  PHONE: ['WORK', 'WORKDD', 'MOB', 'FAX', 'HOME', 'OTHER'],
  EMAIL: ['WORK', 'PRIV', 'OTHER'],
}

/** Each kind counts the sort of its groups from 0. */
const groups: [FieldOwner, id: string, sort: number, Word][] = [
  ['leads', 'default', 0, 'main'],
  ['leads', 'statistic', 1, 'statistics'],
  ['contacts', 'default', 0, 'main'],
  ['companies', 'default', 0, 'main'],
  ['customers', 'default', 0, 'main'],
]

const wordsOf = (language: string) => words[language as keyof typeof words] ?? words.en

/** The name of the main group of fields in a language. */
export const mainGroupName = (language: string): string => wordsOf(language).main

/** Creates the predefined fields and groups of a new account with two statements. */
export async function seedFields(ctx: Context, tx: Tx, account: AccountRow): Promise<void> {
  const named = wordsOf(account.language)
  const drafted = predefined.map(
    ([entity_type, code, type, word], i): Drafted => ({
      row: {
        account_id: account.id,
        entity_type,
        catalog_id: null,
        group_id: null,
        type,
        name: named[word],
        code,
        sort: (i + 1) * 10,
        is_api_only: 0,
        is_predefined: 1,
        is_deletable: 0,
        is_disabled: 0,
        origin: null,
        settings: '{}',
      },
      enums: labelDrafts(labels[code] ?? []),
    }),
  )
  await insertFields(tx, await newRows(ctx, tx, drafted))
  await insertGroups(
    tx,
    groups.map(
      ([entity_type, id, sort, word]): CustomFieldGroupRow => ({
        account_id: account.id,
        entity_type,
        id,
        name: named[word],
        sort,
        created_at: ctx.now(),
      }),
    ),
  )
}
