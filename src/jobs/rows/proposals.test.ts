import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import { proposeMapping } from './proposals.ts'
import { importedTypes, targetsOf } from './targets.ts'

const none = { list: [], byCode: new Map() } as unknown as FieldSet

test.each(['en', 'es', 'ru', 'pt'])('a column is recognized by the name of its target in %s', (lang) => {
  const file = new URL(`../../../web/i18n/${lang}/import.json`, import.meta.url)
  const names: Record<string, string> = JSON.parse(readFileSync(file, 'utf8')).import.target
  for (const type of importedTypes) {
    const targets = targetsOf(type, none)
    for (const { target } of targets) {
      const column = names[target.replace('.', '_')] ?? ''
      expect(proposeMapping(type, [column], [], targets, none), `${type}: ${column}`).toEqual([
        { column: 0, target },
      ])
    }
  }
})

/** Fields with their labels by their codes. */
const withLabels = (labels: Record<string, string[]>): FieldSet => {
  const list = Object.entries(labels).map(([code, codes], i) => ({
    ...{ id: i + 1, name: code, code, type: 'multitext', is_api_only: false, is_disabled: false },
    enums: codes.map((code, i) => ({ id: i + 1, value: code, code, sort: i })),
  }))
  return {
    list,
    byId: new Map(list.map((field) => [field.id, field])),
    byCode: new Map(list.map((field) => [field.code, field])),
  } as unknown as FieldSet
}

test('the columns of an export of the platform are recognized', () => {
  const fields = withLabels({
    PHONE: ['WORK', 'WORKDD', 'MOB', 'FAX', 'HOME', 'OTHER'],
    EMAIL: ['WORK', 'PRIV', 'OTHER'],
  })
  const proposed = (type: 'contacts' | 'leads', columns: string[], known: FieldSet) => {
    const mapping = proposeMapping(type, columns, [], targetsOf(type, known), known)
    return Object.fromEntries(mapping.map(({ column, target }) => [columns[column], target]))
  }
  const phones = ['Рабочий телефон', 'Рабочий прямой телефон', 'Мобильный телефон', 'Факс', 'Другой телефон']
  const emails = ['Рабочий email', 'Личный email', 'Другой email']
  expect(
    proposed(
      'contacts',
      [
        ...['Полное имя', 'Название компании', 'Ответственный', 'Дата создания контакта', 'Теги'],
        ...phones,
        ...emails,
      ],
      fields,
    ),
  ).toEqual({
    'Полное имя': 'name',
    'Название компании': 'company.name',
    Ответственный: 'responsible',
    'Дата создания контакта': 'created_at',
    Теги: 'tags',
    'Рабочий телефон': 'field.1',
    'Рабочий прямой телефон': 'field.1.WORKDD',
    'Мобильный телефон': 'field.1.MOB',
    Факс: 'field.1.FAX',
    'Другой телефон': 'field.1.OTHER',
    'Рабочий email': 'field.2',
    'Личный email': 'field.2.PRIV',
    'Другой email': 'field.2.OTHER',
  })
  const leads = [
    'Название сделки',
    'Бюджет, ₽',
    'Дата создания сделки',
    'Теги сделки',
    'Этап сделки',
    'Воронка',
  ]
  expect(proposed('leads', [...leads, 'Полное имя контакта', 'Компания', ...phones], none)).toEqual({
    'Название сделки': 'name',
    'Бюджет, ₽': 'price',
    'Дата создания сделки': 'created_at',
    'Теги сделки': 'tags',
    'Этап сделки': 'stage',
    Воронка: 'pipeline',
    'Полное имя контакта': 'contact.name',
    Компания: 'company.name',
    'Рабочий телефон': 'contact.phone',
  })
})

test('a column whose name has no letters is none of the fields without a code', () => {
  const field = { id: 1, name: 'Floor', code: null, type: 'text', is_api_only: false, is_disabled: false }
  const fields = {
    list: [{ ...field, enums: [] }],
    byId: new Map([[1, field]]),
    byCode: new Map(),
  } as unknown as FieldSet
  const targets = targetsOf('contacts', fields)
  expect(proposeMapping('contacts', ['', '№', 'floor'], [], targets, fields)).toEqual([
    { column: 2, target: 'field.1' },
  ])
})

test.each([
  ['05.11.1990', undefined],
  ['1990-11-05', undefined],
  ['5/11/90', undefined],
  ['7707083893', undefined],
  ['555-123-4567', 'field.1'],
  ['+7 900 123 45 67', 'field.1'],
])('a column of values such as %s beside one of telephone numbers is proposed as %s', (value, target) => {
  const fields = withLabels({ PHONE: ['WORK'] })
  const rows = [
    ['+7 900 000 00 00', value],
    ['+7 900 000 00 01', value],
  ]
  const targets = targetsOf('contacts', fields)
  const proposed = proposeMapping('contacts', ['Phone', 'Something'], rows, targets, fields)
  expect(proposed.find(({ column }) => column === 1)?.target).toBe(target)
})

test('a column of mere digits is proposed as telephone numbers if there is no other', () => {
  const fields = withLabels({ PHONE: ['WORK'] })
  const rows = [['79001234567'], ['79001234568']]
  const targets = targetsOf('contacts', fields)
  expect(proposeMapping('contacts', ['Something'], rows, targets, fields)).toEqual([
    { column: 0, target: 'field.1' },
  ])
})

test('cells of many dots are examined in a linear time', () => {
  const fields = withLabels({ EMAIL: ['WORK'] })
  const columns = Array.from({ length: 250 }, (_, i) => `x${i}`)
  const rows = Array.from({ length: 200 }, () => columns.map(() => `a@${'.'.repeat(252)}@`))
  const before = process.threadCpuUsage()
  proposeMapping('contacts', columns, rows, targetsOf('contacts', fields), fields)
  // In a quadratic time it takes some seconds, otherwise some milliseconds.
  expect(process.threadCpuUsage(before).user / 1e6).toBeLessThan(0.5)
})
