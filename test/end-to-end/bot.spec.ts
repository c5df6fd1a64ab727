import { expect, test } from '@playwright/test'
import { pushTo } from './callbacks.ts'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { demo, signIn, watch } from './people.ts'
import { apiOf } from './record-world.ts'

test('a person stops the reply bot in a conversation, and lets it greet and answer again', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  const { channel } = demo
  if (!channel) throw new Error('the demo has no channel')
  await signIn(page)
  const api = await apiOf(page)
  const intent = await api.post('chats/intents', {
    name: 'Hours',
    phrases: ['opening hours'],
    answer: 'From nine to six.',
  })
  await page.goto('/settings/bot')
  await page.getByRole('button', { name: 'Bot settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Bot settings' })
  await settings.getByRole('textbox', { name: 'Greeting' }).fill('Hello, I am a bot.')
  await checkPage(page, '/settings/bot/settings', 'light')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings).toBeHidden()

  const from = { id: 'uma', name: 'Uma Silent' }
  const ask = () =>
    pushTo(String(baseURL), channel, { from, message: { type: 'text', text: 'Your opening hours?' } })
  const answers = page.getByRole('log').getByRole('listitem').filter({ hasText: 'From nine to six.' })
  await ask()
  await visit(page, '/inbox')
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: from.name }).click()
  await expect(answers).toHaveCount(1)
  await page.getByRole('button', { name: 'Stop the reply bot here' }).click()
  await expect(page.getByText('Bot is silent', { exact: true })).toBeVisible()
  await checkPage(page, '/inbox/bot', 'dark')
  await ask()
  await expect(page.getByRole('log').getByText('Your opening hours?')).toHaveCount(2)
  await expect(answers).toHaveCount(1)
  await page.getByRole('button', { name: 'Let the reply bot answer here' }).click()
  await expect(page.getByRole('log').getByText('Hello, I am a bot.')).toBeVisible()
  await expect(page.getByText('Bot is silent', { exact: true })).toBeHidden()
  await ask()
  await expect(answers).toHaveCount(2)

  const [bot] = (await api.get('bots'))._embedded.items
  await api.patch(`bots/${bot.id}`, { greeting: '' })
  await api.remove(`chats/intents/${intent.id}`)
  expect(seen).toEqual([])
})
