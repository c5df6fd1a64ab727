import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { freePort } from '../../src/commands/ports.ts'
import { type Callbacks, connectAnew, pushTo, takeCallbacks } from './callbacks.ts'
import { startProvider } from './chat-provider.ts'
import { checkPage, themesOf } from './check-page.ts'
import { answerLate, countMost } from './delayed-writes.ts'
import { followsLive } from './live.ts'
import { visit } from './navigate.ts'
import { demo, signIn, watch } from './people.ts'
import { administrator } from './record-world.ts'

const picture = async () => ({
  name: 'bicycle.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 640, height: 400, channels: 3, background: '#0f6b78' } })
    .png()
    .toBuffer(),
})

interface Keys {
  id: string
  secret: string
  scope_id: string
}

/** Creates a channel through the form, copies its keys and connects the account. */
async function newChannel(page: Page, name: string, callback_url: string): Promise<Keys> {
  await page.goto('/settings/channels')
  await page.getByRole('link', { name: 'New channel' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Callback URL' }).fill(callback_url)
  await page.getByRole('button', { name: 'Save and get the keys' }).click()
  await expect(page.getByRole('heading', { name: `${name} is saved` })).toBeFocused()
  const [id = '', secret = ''] = await page
    .getByRole('region', { name: 'Keys' })
    .getByRole('code')
    .allTextContents()
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('Connected. Messages from clients arrive in its inbox.')).toBeVisible()
  return { id, secret, scope_id: `${id}_${demo.account.amojo_id}` }
}

/** Creates a channel whose provider runs in this test. */
async function ownChannel(page: Page, name: string): Promise<{ keys: Keys; provider: Callbacks }> {
  let keys: Keys | undefined
  const provider = await takeCallbacks(() => keys?.secret ?? '')
  keys = await newChannel(page, name, provider.url)
  return { keys, provider }
}

const unique = (name: string) => `${name} ${Date.now().toString(36)}`
const conversations = (page: Page) => page.getByRole('list', { name: 'Conversations' })
const thread = (page: Page) => page.getByRole('log')
const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ })
const messageWith = (page: Page, text: string) => thread(page).getByRole('listitem').filter({ hasText: text })

async function open(page: Page, name: string): Promise<void> {
  await conversations(page).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name, exact: true }).first()).toBeVisible()
}

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

test('a message of the example provider appears in the open inbox, is answered with a text and an image, and is in the timelines', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page)
  const port = await freePort()
  const { id, secret, scope_id } = await newChannel(page, 'Messenger', `http://localhost:${port}/callback`)
  const provider = await startProvider(port, {
    CHAT_URL: String(baseURL),
    CHANNEL_ID: id,
    CHANNEL_SECRET: secret,
    ACCOUNT_ID: demo.account.amojo_id,
  })
  try {
    expect(provider.output()).toContain(`connected: ${scope_id}`)
    const follows = followsLive(page, 'chats')
    await page.goto('/inbox')
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible()
    await follows

    const anna = { from: 'anna', name: 'Anna Lind', phone: 442079460018 }
    await provider.post('/say', { ...anna, text: 'Is the red one still there?' })
    const row = conversations(page).getByRole('link', { name: 'Anna Lind' })
    await expect(row).toBeVisible()
    await expect(row).toContainText('Is the red one still there?')
    await expect(page.getByRole('link', { name: /Inbox.*unread/ })).toBeVisible()

    await open(page, 'Anna Lind')
    await expect(messageWith(page, 'Is the red one still there?')).toBeVisible()
    await expect(row).not.toContainText('unread')
    await provider.post('/say', { ...anna, text: 'I could come today.' })
    await expect(messageWith(page, 'I could come today.')).toBeVisible()

    await write(page, 'It is. Come at five.')
    await expect(messageWith(page, 'It is. Come at five.')).toContainText('Delivered')
    await page.locator('input[type=file]').setInputFiles(await picture())
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('bicycle.png')
    await write(page, 'This is how it looks.')
    const sent = messageWith(page, 'This is how it looks.')
    await expect(sent).toContainText('Delivered')
    const thumbnail = sent.getByRole('button', { name: 'Enlarge: bicycle.png' }).locator('img')
    const widthOf = (image: { naturalWidth?: number }) => image.naturalWidth
    await expect.poll(() => thumbnail.evaluate(widthOf)).toBeGreaterThan(0)

    // The provider rejects wrong signatures, and it has downloaded the image.
    const answers = (await provider.messages()).filter(({ direction }) => direction === 'to')
    expect(answers.map(({ type, text, state }) => [type, text, state])).toEqual([
      ['text', 'It is. Come at five.', 'shown'],
      ['picture', 'This is how it looks.', 'shown'],
    ])
    expect(answers[1]?.file).toEqual(expect.any(String))
    await provider.post('/read')
    await expect(sent).toContainText('Read')

    const ofLead = page.getByRole('list', { name: 'Lead timeline' })
    await expect(ofLead).toContainText('Incoming message × 2')
    await expect(ofLead).toContainText('Outgoing message × 2')
    await expect(ofLead).not.toContainText('Conversation')
    // The same messages are not repeated.
    const ofContact = page.getByRole('list', { name: 'Contact timeline' })
    await expect(ofContact.getByRole('listitem')).not.toHaveCount(0)
    await expect(ofContact).not.toContainText('message')
    await expect(page.getByRole('region', { name: 'Contact' })).toContainText('442079460018')
    const logged = await page.evaluate<string[]>(`(async () => {
      const types = 'incoming_chat_message,outgoing_chat_message'
      const answer = await fetch('/web/v4/events?limit=4&filter[type]=' + types)
      return (await answer.json())._embedded.events.map(({ type }) => type)
    })()`)
    expect(logged).toEqual([
      'outgoing_chat_message',
      'outgoing_chat_message',
      'incoming_chat_message',
      'incoming_chat_message',
    ])
  } finally {
    await provider.stop()
  }
  expect(seen).toEqual([])
})

test('with a failing provider a message waits, fails when the channel is gone, and is sent again after the channel resumes', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Unsteady')
  try {
    const bo = { id: 'bo', name: 'Bo Unsteady' }
    await pushTo(String(baseURL), keys, { from: bo, message: { type: 'text', text: 'Hello' } })
    await page.goto('/inbox')
    await open(page, bo.name)

    provider.answer(500)
    await write(page, 'Does this arrive?')
    const message = messageWith(page, 'Does this arrive?')
    await expect(message).toContainText('Waiting')
    await expect(message).toContainText('Tried once, not delivered yet.')
    await message.getByRole('button', { name: /Waiting/ }).click()
    const tries = page.getByRole('dialog')
    await expect(tries).toContainText('Status 500')
    await tries.getByRole('button', { name: 'Close' }).click()

    // The second attempt follows after five seconds.
    provider.answer(410)
    await expect(message).toContainText('Not delivered')
    await expect(message).toContainText('The provider reported that the channel no longer exists')
    await expect(page.getByText('Unsteady does not accept messages')).toBeVisible()
    await expect(composer(page)).toBeHidden()

    const back = page.url()
    await page.getByRole('link', { name: 'Open channel' }).click()
    await expect(page.getByText('The channel is stopped and sends no messages')).toBeVisible()
    await checkPage(page, '/settings/channels/stopped', 'light')
    provider.answer(200)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText('The channel is stopped and sends no messages')).toBeHidden()

    await page.goto(back)
    await message.getByRole('button', { name: 'Send again' }).click()
    await expect(message).toContainText('Delivered')
    await expect(composer(page)).toBeVisible()
    expect(new Set(provider.taken.map(({ message_id }) => message_id)).size).toBe(1)
    expect(provider.taken.map(({ status }) => status)).toEqual([500, 410, 200])
    expect(provider.strangers()).toBe(0)
  } finally {
    provider.stop()
  }
  expect(seen).toEqual([])
})

test('a message that arrives live before the response to its write is never shown twice', async ({
  page,
  baseURL,
}) => {
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Overtaking')
  try {
    const di = { id: 'di', name: 'Di Early' }
    await pushTo(String(baseURL), keys, { from: di, message: { type: 'text', text: 'Hello' } })
    await page.goto('/inbox')
    await open(page, di.name)
    const most = await countMost(page, '[role=log] li', 'Once only')
    await answerLate(page, /\/chats\/[^/]+\/messages$/)
    await write(page, 'Once only')
    await expect(messageWith(page, 'Once only')).toContainText('Sending')
    await expect(messageWith(page, 'Once only')).toContainText('Delivered')
    expect(await most()).toBe(1)
  } finally {
    provider.stop()
  }
})

test('files are dropped, the provider can download image and thumbnail, and a rejected message returns to the composer', async ({
  page,
  baseURL,
}) => {
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Files')
  try {
    const cy = { id: 'cy', name: 'Cy Files' }
    await pushTo(String(baseURL), keys, { from: cy, message: { type: 'text', text: 'Send me the offer' } })
    await page.goto('/inbox')
    await open(page, cy.name)

    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['one, two'], 'offer.csv', { type: 'text/csv' }))
      return transfer
    })()`)
    await thread(page).dispatchEvent('drop', { dataTransfer: dropped })
    await write(page, '')
    await expect(messageWith(page, 'offer.csv')).toContainText('Delivered')
    await page.locator('input[type=file]').setInputFiles(await picture())
    await write(page, 'And a picture')
    await expect(messageWith(page, 'And a picture')).toContainText('Delivered')
    expect(provider.taken.map(({ type, file_name }) => [type, file_name])).toEqual([
      ['file', 'offer.csv'],
      ['picture', undefined],
    ])
    const [file, image] = provider.taken
    expect(await (await fetch(String(file?.media))).text()).toBe('one, two')
    for (const url of [image?.media, image?.thumbnail])
      expect((await sharp(await (await fetch(String(url))).arrayBuffer()).metadata()).width).toBeGreaterThan(
        0,
      )

    await page.route('**/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: '{"status":403,"title":"Forbidden","type":"https://httpstatus.es/403#forbidden","detail":"No."}',
          })
        : route.continue(),
    )
    await write(page, 'You do not have permission')
    await expect(page.getByRole('alert')).toContainText('You do not have permission to do this.')
    await expect(composer(page)).toHaveValue('You do not have permission')
    await expect(messageWith(page, 'You do not have permission')).toBeHidden()
    await page.unroute('**/messages')
    await composer(page).press('Enter')
    await expect(messageWith(page, 'You do not have permission')).toContainText('Delivered')
  } finally {
    provider.stop()
  }
})

/** All kinds of messages in one conversation. */
const kinds = [
  { type: 'text', text: 'See https://shop.example/bikes?id=1, that one.' },
  { type: 'picture', media: 'https://media.example/a.jpg', file_name: 'a.jpg', file_size: 120_000 },
  { type: 'video', media: 'https://media.example/b.mp4', file_name: 'b.mp4', file_size: 9_000_000 },
  { type: 'file', media: 'https://media.example/c.pdf', file_name: 'c.pdf', file_size: 48_000 },
  { type: 'sticker', media: 'https://media.example/d.webp' },
  { type: 'location', location: { lon: 21.01223, lat: 52.22968 } },
  { type: 'contact', contact: { name: 'Jan', phone: '+48 600 300 400' } },
]

for (const colorScheme of themesOf('/inbox/thread'))
  test(`a conversation with all kinds of messages in ${colorScheme}: by keyboard, on a phone, and checked by axe`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 1440, height: 900 })
    const seen = watch(page)
    await signIn(page)
    const { keys, provider } = await ownChannel(page, `Kinds ${colorScheme}`)
    const dee = { id: `dee-${colorScheme}`, name: `Dee ${colorScheme}` }
    for (const message of kinds) await pushTo(String(baseURL), keys, { from: dee, message })
    await page.goto('/inbox')
    const first = conversations(page).getByRole('link').first()
    await expect(first).toContainText(dee.name)
    await first.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await expect(first).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(composer(page)).toBeFocused()
    await expect(thread(page).getByRole('listitem')).toHaveCount(kinds.length)
    // Files on other hosts are links that open in a new tab; nothing is loaded from there.
    await expect(thread(page).locator('img')).toHaveCount(0)
    const link = thread(page).getByRole('link', { name: 'a.jpg' })
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    await expect(thread(page).getByRole('link', { name: 'https://shop.example/bikes?id=1' })).toBeVisible()

    await page.locator('input[type=file]').setInputFiles(await picture())
    await write(page, 'Thank you')
    await expect(messageWith(page, 'Thank you')).toContainText('Delivered')
    await checkPage(page, '/inbox/thread', colorScheme)
    await page.getByRole('button', { name: /^Delivered/ }).click()
    await expect(page.getByRole('dialog')).toContainText('Status 200')
    await checkPage(page, '/inbox/thread/tries', colorScheme)
    await page.keyboard.press('Escape')
    await composer(page).press('Escape')
    await expect(first).toBeFocused()

    await page.setViewportSize({ width: 390, height: 844 })
    await expect(conversations(page)).toBeHidden()
    await checkPage(page, '/inbox/thread/telephone', colorScheme)
    await page.getByRole('button', { name: 'Show contact and lead' }).click()
    await expect(page.getByRole('region', { name: 'Lead' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1')
    await checkPage(page, '/inbox/records/telephone', colorScheme)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await expect(conversations(page)).toBeVisible()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)

    provider.stop()
    expect(seen).toEqual([])
  })

test('the reply bot answers by the topic of a phrase, and is off without topics', async ({
  page,
  baseURL,
}) => {
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'With a bot')
  await page.goto('/settings/bot')
  await expect(page.getByText('The bot is off')).toBeVisible()
  await page.getByRole('button', { name: 'Add topic' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add topic' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Opening hours')
  await dialog.getByRole('textbox', { name: 'Phrase 1' }).fill('when are you open')
  await dialog.getByRole('textbox', { name: 'Phrase 1' }).press('Enter')
  await dialog.getByRole('textbox', { name: 'Phrase 2' }).fill('opening hours')
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('From nine to six.')
  await checkPage(page, '/settings/bot/topic', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table', { name: 'Reply bot' })).toContainText('Opening hours')
  await checkPage(page, '/settings/bot/topics', 'light')

  const eli = { id: 'eli', name: 'Eli Bot' }
  await pushTo(String(baseURL), keys, { from: eli, message: { type: 'text', text: 'When are you open?' } })
  await visit(page, '/inbox')
  await open(page, eli.name)
  await expect(messageWith(page, 'From nine to six.')).toContainText('Delivered')
  await expect(messageWith(page, 'From nine to six.')).toContainText('Reply bot')

  await visit(page, '/settings/bot')
  await page.getByRole('button', { name: 'Delete Opening hours' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete topic' }).click()
  await expect(page.getByText('The bot is off')).toBeVisible()
  provider.stop()
})

test('a closed conversation is listed as closed, and the next message opens it again', async ({
  page,
  baseURL,
}) => {
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Closing')
  const fay = { id: 'fay', name: 'Fay Closing' }
  const say = (text: string) => pushTo(String(baseURL), keys, { from: fay, message: { type: 'text', text } })
  await say('Thank you')
  await page.goto('/inbox')
  await open(page, fay.name)
  // The live stream removes the button before the response arrives.
  await answerLate(page, /\/talks\/\d+\/close$/)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Close', exact: true })).toBeHidden()
  await expect(page.getByText('Conversation closed')).toBeVisible()
  await expect(page.locator('main header').getByText('Closed', { exact: true })).toBeVisible()

  await visit(page, '/inbox?state=closed')
  await expect(conversations(page).getByRole('link', { name: fay.name })).toBeVisible()
  await page.getByRole('searchbox').fill('Nobody of this name')
  await expect(page.getByText('No conversations match.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByText(/^Select a conversation/)).toBeVisible()
  await open(page, fay.name)
  // A search does not close the conversation.
  await page.getByRole('searchbox').fill('Nobody of this name')
  await expect(page.getByText('No conversations match.')).toBeVisible()
  await expect(page.getByRole('heading', { name: fay.name })).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await expect(conversations(page).getByRole('link', { name: fay.name })).toBeVisible()
  await say('One more thing')
  await expect(page.getByRole('button', { name: 'Close', exact: true })).toBeVisible()
  provider.stop()
})

test('a new secret of a channel overlaps with the old one, and the log shows the action', async ({
  page,
}) => {
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Rotated')
  await page.goto(`/settings/channels/${keys.id}/keys`)
  await page.getByRole('button', { name: 'Show secret' }).click()
  await expect(page.getByText(keys.secret)).toBeVisible()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await checkPage(page, '/settings/channels/rotate', 'light')
  await dialog.getByRole('button', { name: 'Create new secret' }).click()
  await expect(page.getByText('Both secrets work now')).toBeVisible()
  await expect(page.getByText(keys.secret)).toBeHidden()

  await page.getByRole('link', { name: 'Connections' }).click()
  await expect(page.getByRole('table', { name: 'Connected accounts' })).toContainText(keys.scope_id)
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('No accounts are connected.')).toBeVisible()

  await page.getByRole('link', { name: 'Log', exact: true }).click()
  const log = page.getByRole('table', { name: 'Log' })
  for (const action of [
    'Channel created',
    'Account connected',
    'Secret viewed',
    'New secret created',
    'Account disconnected',
  ])
    await expect(log).toContainText(action)

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await page.getByRole('button', { name: 'Delete channel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
  await expect(page).toHaveURL(/\/settings\/channels$/)
  await expect(page.getByRole('link', { name: 'Rotated' })).toBeHidden()
  provider.stop()
})

test('a long conversation loads page by page, and new messages appear without gaps or repetition', async ({
  page,
  baseURL,
}) => {
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Long')
  const gus = { id: 'gus', name: 'Gus Long' }
  const say = (number: number) =>
    pushTo(String(baseURL), keys, { from: gus, message: { type: 'text', text: `Number ${number}.` } })
  for (let number = 1; number <= 130; number += 1) await say(number)
  await page.goto('/inbox')
  await open(page, gus.name)
  await expect(messageWith(page, 'Number 130.')).toBeInViewport()
  await expect(messageWith(page, 'Number 1.')).toHaveCount(0)

  const upwards = (box: { scrollTop: number; scrollHeight: number }) => {
    box.scrollTop = -box.scrollHeight
  }
  await expect(async () => {
    await thread(page).evaluate(upwards)
    await expect(messageWith(page, 'Number 1.')).toBeInViewport({ timeout: 500 })
  }).toPass()
  // A screen reader reads the message that arrives, and none that was there.
  const spoken = page.getByRole('status').filter({ hasText: 'Number' })
  await expect(spoken).toHaveCount(0)
  await say(131)
  await expect(spoken).toHaveText('Gus Long: Number 131.')
  await page.getByRole('button', { name: 'New messages' }).click()
  await expect(messageWith(page, 'Number 131.')).toBeInViewport()
  // The browser lays out what is in sight.
  const inSight = 'document.querySelector("[role=log] time").checkVisibility({ contentVisibilityAuto: true })'
  await expect.poll(() => page.evaluate(inSight)).toBe(false)
  const numbers = (await thread(page).getByRole('listitem').allTextContents()).map((text) =>
    Number(/Number (\d+)\./.exec(text)?.[1]),
  )
  expect(numbers).toEqual(Array.from({ length: 131 }, (_, i) => i + 1))
  provider.stop()
})

test('a conversation links to its cards, and each card to its own conversations', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Cards')
  try {
    for (const id of ['eve', 'fay']) {
      const from = { id: `${id}-cards`, name: `${id} Cards` }
      await pushTo(String(baseURL), keys, { from, message: { type: 'text', text: `From ${id}` } })
    }
    for (const [kind, of] of [
      ['Lead', 'lead'],
      ['Contact', 'contact'],
    ] as const) {
      await page.goto('/inbox')
      await expect(conversations(page).getByRole('link', { name: 'fay Cards' })).toBeVisible()
      await open(page, 'eve Cards')
      await page
        .getByRole('region', { name: kind, exact: true })
        .getByRole('heading')
        .getByRole('link')
        .click()
      await expect(page).toHaveURL(new RegExp(`/${of}s/\\d+$`))
      const id = page.url().split('/').at(-1)
      await page.getByRole('link', { name: '1 conversation' }).click()
      await expect(page).toHaveURL(new RegExp(`/inbox\\?${of}=(%22)?${id}(%22)?$`))
      await expect(conversations(page).getByRole('link')).toHaveCount(1)
      await expect(conversations(page)).toContainText('eve Cards')
      // The address alone restores the filter.
      await page.reload()
      await expect(conversations(page).getByRole('link')).toHaveCount(1)
      await page.getByRole('button', { name: 'Show all conversations' }).click()
      await expect(page).toHaveURL(/\/inbox$/)
      await expect(conversations(page).getByRole('link', { name: 'fay Cards' })).toBeVisible()
    }
  } finally {
    provider.stop()
  }
  expect(seen).toEqual([])
})

test('a person reacts to a message and is shown as typing to a provider that gets callbacks of v2', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  await signIn(page)
  const { keys, provider } = await ownChannel(page, 'Later')
  await connectAnew(String(baseURL), keys, demo.account.amojo_id)
  const from = { id: 'lena', name: 'Lena Late' }
  await pushTo(String(baseURL), keys, { from, message: { type: 'text', text: 'Is it blue?' } })
  await visit(page, '/inbox')
  await open(page, from.name)
  const message = messageWith(page, 'Is it blue?')
  await message.hover()
  await message.getByRole('button', { name: 'React' }).click()
  await page.getByRole('menuitem', { name: 'React with 👍' }).click()
  const own = message.getByRole('button', { name: /remove your reaction/ })
  await expect(own).toBeVisible()
  await checkPage(page, '/inbox/thread/reaction', 'light')
  await own.click()
  await expect(own).toBeHidden()
  const reactions = () => provider.taken.flatMap(({ action }) => action?.reaction ?? [])
  await expect.poll(reactions).toMatchObject([
    { type: 'react', emoji: '👍' },
    { type: 'unreact', emoji: '👍' },
  ])
  await composer(page).pressSequentially('Yes')
  await expect.poll(() => provider.taken.filter(({ action }) => action?.typing).length).toBe(1)
  expect(provider.strangers()).toBe(0)
  expect(seen).toEqual([])
  provider.stop()
})

test('a conversation is titled with the best name that is known, and follows the name of the contact', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const api = await administrator(page)
  if (!demo.channel_live) throw new Error('no channel')
  const message = { type: 'text', text: 'Who am I?' }
  const nameless = { id: unique('nameless'), name: '', profile: { phone: '+351912000111' } }
  await pushTo(String(baseURL), demo.channel_live, { from: nameless, message })
  const follows = Promise.all([followsLive(page, 'events'), followsLive(page, 'chats')])
  await page.goto('/inbox')
  await follows
  await open(page, '+351912000111')
  await expect(thread(page).getByText('+351912000111')).toBeVisible()
  await expect(composer(page)).toHaveAccessibleName('Message to +351912000111')

  const [chat] = (await api.get('chats?limit=1'))._embedded.chats
  const name = unique('Rita')
  await api.patch(`contacts/${chat.contact_id}`, { name })
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(name))
  await expect(conversations(page).getByRole('link', { name })).toBeVisible()
  const lead = unique('Gravel')
  await api.patch(`leads/${chat.lead_id}`, { name: lead, price: 1_500 })
  const part = page.getByRole('region', { name: 'Lead', exact: true })
  await expect(part.getByRole('heading', { name: lead })).toBeVisible()
  await expect(part).toContainText('$1,500')
})
