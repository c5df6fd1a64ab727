import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { pluralZero } from '../../web/i18n/plurals.ts'

test.each([
  ['pt', ['0 pessoas', '1 pessoa', '2 pessoas']],
  ['ru', ['0 pessoas', '1 pessoa', '2 pessoa']],
])('zero is plural in %s', async (lng, texts) => {
  const i18n = createInstance()
  const people = {
    n_one: '{{count}} pessoa',
    n_few: '{{count}} pessoa',
    n_many: '{{count}} pessoas',
    n_other: '{{count}} pessoas',
  }
  await i18n.init({ lng, resources: { [lng]: { translation: people } } })
  pluralZero(i18n)
  expect([0, 1, 2].map((count) => i18n.t('n', { count }))).toEqual(texts)
})
