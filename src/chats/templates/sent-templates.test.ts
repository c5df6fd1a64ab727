import { expect, test } from 'vitest'
import { line } from '../../../test/fixtures/conversations.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'

/** A chat of a provider that connected with v2, and a template with a marker. */
async function chatWithTemplate(hook_api_version = 'v2') {
  const w = await world()
  const open = await line(w)
  await open.call('POST', `/${open.channel.id}/connect`, {
    account_id: w.account.amojo_id,
    hook_api_version,
  })
  const path = `/web/v4/chats/${await open.write('ann')}/messages`
  const shop = await register(w.admin, { name: 'Shop' })
  const api = w.stranger.as({ token: (await connect(w.stranger, shop)).access_token })
  const draft = {
    name: 'Order',
    content: 'Hello {{contact.name}}',
    external_id: 'hello-1',
    buttons: [{ type: 'inline', text: 'Yes' }],
  }
  const { body } = await api.post('/api/v4/chats/templates', [draft])
  const id = body._embedded.chat_templates[0].id as number
  const write = (change: object) => w.admin.browser.post(path, { text: 'Hello ann', ...change })
  const sent = async () => {
    await w.app.deliveries.runDue()
    return open.there.received.map(({ body }) => JSON.parse(body))
  }
  return { w, id, write, sent }
}

const params = [{ key: '{{contact.name}}', value: 'ann' }]

test('A message that was made from a template names it in callbacks of v2, with its buttons', async () => {
  const { id, write, sent } = await chatWithTemplate()
  expect((await write({ template: { id, params } })).status).toBe(200)
  await write({})
  const [made, plain] = (await sent()).map(({ message }) => message.message)
  expect(made).toMatchObject({
    text: 'Hello ann',
    markup: { mode: 'inline', buttons: [[{ text: 'Yes' }]] },
    template: { id, external_id: 'hello-1', content: 'Hello {{contact.name}}', params },
  })
  expect(plain.markup).toBe(null)
  expect(plain).not.toHaveProperty('template')
})

test('Callbacks of v1 do not have it', async () => {
  const { id, write, sent } = await chatWithTemplate('v1')
  await write({ template: { id, params } })
  expect(await sent()).toEqual([expect.not.objectContaining({ template: expect.anything() })])
})

test('A message cannot name a template that the account does not have', async () => {
  const { id, w, write } = await chatWithTemplate()
  const abe = await w.addPerson({ account: await w.addAccount('abroad'), is_admin: true, name: 'Abe' })
  const { body } = await abe.browser.post('/web/v4/chats/templates', [{ name: 'A', content: 'B' }])
  const theirs = body._embedded.chat_templates[0].id as number
  for (const [template, path] of [
    [{ id: theirs + id }, 'template.id'],
    [{ id: 0 }, 'template.id'],
    [{}, 'template.id'],
    [{ id, params: [{ key: 5, value: 'x' }] }, 'template.params.0.key'],
  ] as const) {
    const answer = await write({ template })
    expect([answer.status, answer.body['validation-errors'][0].errors[0].path]).toEqual([400, path])
  }
})
