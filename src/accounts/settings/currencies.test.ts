import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { currencyCodes } from './currencies.ts'

test('GET /currencies lists the currencies in the language of the account, page by page', async () => {
  const { admin } = await world()
  await admin.browser.patch('/web/v4/account', { language: 'es' })
  const person = admin.browser
  const first = await person.get('/web/v4/currencies?limit=100')
  expect([first.status, first.body._page, first.body._embedded.currencies.length]).toEqual([200, 1, 100])
  expect(first.body._embedded.currencies.find(({ code }: { code: string }) => code === 'EUR')).toEqual({
    code: 'EUR',
    name: 'euro',
    symbol: '€',
  })
  const second = await person.get('/web/v4/currencies?limit=100&page=2')
  const codes = [first, second].flatMap(({ body }) =>
    body._embedded.currencies.map(({ code }: { code: string }) => code),
  )
  expect([codes, second.body._links.next]).toEqual([currencyCodes, undefined])
  expect((await person.get('/web/v4/currencies?limit=100&page=3')).status).toBe(204)
})

test('a new currency of the account brings its sign', async () => {
  const { admin } = await world()
  const answer = await admin.browser.patch('/web/v4/account', { currency: 'PLN' })
  expect([answer.body.currency, answer.body.currency_symbol]).toEqual(['PLN', 'zł'])
  const code = await admin.browser.patch('/web/v4/account', { currency: 'CHF' })
  expect(code.body.currency_symbol).toBe('CHF')
})
