import { expect, type Page, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { writeLate } from './delayed-writes.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { signIn, watch } from './people.ts'

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const named = (of: string) => `${of} ${Date.now()}`
const namesIn = async (page: Page, name: string) => {
  const texts = await list(page, name).getByRole('listitem').allInnerTexts()
  return texts.map((text) => text.trim().split('\n')[0])
}

async function newPipeline(page: Page, name: string): Promise<number> {
  await page.goto('/settings/pipelines')
  await page.getByRole('textbox', { name: 'New pipeline name' }).fill(name)
  await page.getByRole('button', { name: 'Add pipeline' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  return Number(page.url().split('/').at(-1))
}

async function addStage(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'New stage name' }).fill(name)
  await page.getByRole('button', { name: 'Add stage' }).click()
  await expect(list(page, 'Stages')).toContainText(name)
}

/** The pipeline's stages on the server, without system stages. */
async function stored(page: Page, id: number) {
  const read = await ask<{
    _embedded: { statuses: { name: string; is_editable: boolean; color: string }[] }
  }>(page, 'GET', `/web/v4/leads/pipelines/${id}`)
  return read._embedded.statuses.filter(({ is_editable }) => is_editable)
}

/** Drags a row by its handle just below the middle of another row. */
async function dragBelow(page: Page, what: string, to: string): Promise<void> {
  const handle = page.getByRole('button', { name: `Move “${what}”` })
  const from = await handle.boundingBox()
  const target = await list(page, 'Stages').getByRole('listitem').filter({ hasText: to }).boundingBox()
  if (!from || !target) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 8, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 20, { steps: 3 })
  await page.mouse.move(target.x + 60, target.y + target.height * 0.8, { steps: 8 })
  await page.mouse.move(target.x + 62, target.y + target.height * 0.8, { steps: 2 })
  await page.mouse.up()
}

test('a pipeline is added, its stages get names, colors, instructions and an order, and a stage in use cannot be deleted', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const name = named('Rentals')
  const id = await newPipeline(page, name)
  await addStage(page, 'Asked')
  await addStage(page, 'Reserved')
  await addStage(page, 'Paid')
  const before = (await namesIn(page, 'Stages')).slice(-3)
  expect(before).toEqual(['Asked', 'Reserved', 'Paid'])

  await dragBelow(page, 'Asked', 'Paid')
  await expect
    .poll(() => namesIn(page, 'Stages').then((all) => all.slice(-3)))
    .toEqual(['Reserved', 'Paid', 'Asked'])
  const handle = page.getByRole('button', { name: 'Move “Asked”' })
  await handle.focus()
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(() => namesIn(page, 'Stages').then((all) => all.slice(-3)))
    .toEqual(['Reserved', 'Asked', 'Paid'])
  await expect(handle).toBeFocused()
  await expect
    .poll(async () => (await stored(page, id)).slice(-3).map((one) => one.name))
    .toEqual(['Reserved', 'Asked', 'Paid'])

  await page.getByRole('button', { name: 'Edit “Asked”' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit stage' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Asked by phone')
  await dialog.getByRole('radio', { name: 'Color 9 of 21' }).check()
  await dialog.getByRole('textbox', { name: 'Instructions for beginners' }).fill('Call back today.')
  await checkPage(page, '/settings/pipelines/stage', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(list(page, 'Stages')).toContainText('Asked by phone')
  expect((await stored(page, id)).find((one) => one.name === 'Asked by phone')?.color).toBe('#ff8f92')
  await page.getByRole('button', { name: 'Edit “Asked by phone”' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Instructions for beginners' })).toHaveValue(
    'Call back today.',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const stages = await ask<{ _embedded: { statuses: { id: number; name: string }[] } }>(
    page,
    'GET',
    `/web/v4/leads/pipelines/${id}/statuses`,
  )
  const paid = stages._embedded.statuses.find((one) => one.name === 'Paid')?.id
  await ask(page, 'POST', '/web/v4/leads', [{ name: 'Stands here', pipeline_id: id, status_id: paid }])
  await page.getByRole('button', { name: 'Delete “Paid”' }).click()
  const inUse = page.getByRole('dialog', { name: 'Delete the stage “Paid”?' })
  await expect(inUse).toContainText('This stage contains 1 lead. Move or delete it first.')
  await expect(inUse.getByRole('link', { name: 'Show records' })).toHaveAttribute('href', /status_id/)
  await expect(inUse.getByRole('button', { name: 'Delete' })).toBeHidden()
  await inUse.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Delete “Reserved”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(list(page, 'Stages')).not.toContainText('Reserved')
  await page.reload()
  await expect(list(page, 'Stages')).toContainText('Asked by phone')
  await expect(list(page, 'Stages')).not.toContainText('Reserved')
  expect(seen).toEqual([])
})

test('stages moved faster than they are saved keep the last order', async ({ page }) => {
  await signIn(page)
  const id = await newPipeline(page, named('In a hurry'))
  for (const name of ['One', 'Two', 'Three']) await addStage(page, name)
  const overtaking = await writeLate(page, /\/statuses\/\d+$/)
  const shown = async () => (await namesIn(page, 'Stages')).slice(-3)
  const handle = page.getByRole('button', { name: 'Move “One”' })
  await handle.focus()
  for (const order of [
    ['Two', 'One', 'Three'],
    ['Two', 'Three', 'One'],
  ]) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(shown).toEqual(order)
    await expect(handle).toBeFocused()
  }
  expect(await overtaking()).toBe(0)
  await expect
    .poll(async () => (await stored(page, id)).slice(-3).map(({ name }) => name))
    .toEqual(['Two', 'Three', 'One'])
  expect(await shown()).toEqual(['Two', 'Three', 'One'])
})

test('a rejected order is reverted with a reason', async ({ page }) => {
  await signIn(page)
  const id = await newPipeline(page, named('Refused'))
  for (const name of ['One', 'Two']) await addStage(page, name)
  const shown = async () => (await namesIn(page, 'Stages')).slice(-2)
  const addresses = /\/statuses\/\d+$/
  await page.route(addresses, (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"type":"#unavailable"}' }),
  )
  const handle = page.getByRole('button', { name: 'Move “One”' })
  await handle.press('ArrowDown')
  await expect(page.getByText('The server is not available right now')).toBeVisible()
  await expect.poll(shown).toEqual(['One', 'Two'])
  await page.unroute(addresses)
  await handle.press('ArrowDown')
  await expect
    .poll(async () => (await stored(page, id)).slice(-2).map(({ name }) => name))
    .toEqual(['Two', 'One'])
  expect(await shown()).toEqual(['Two', 'One'])
})

test('a pipeline is renamed, archived, restored, and deleted when it is empty', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const name = named('Short-lived')
  await newPipeline(page, name)
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`${name} now`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: `${name} now` })).toBeVisible()
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Archive')
  await expect(page.getByText('This pipeline is archived')).toBeVisible()
  await choose('Restore from archive')
  await expect(page.getByText('This pipeline is archived')).toBeHidden()
  await page.getByRole('switch').click()
  await expect(page.getByRole('list', { name: 'System stages' })).toHaveCount(1)
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/settings\/pipelines$/)
  await expect(list(page, 'Pipelines')).not.toContainText(name)
  expect(seen).toEqual([])
})

test('loss reasons and lists are added, renamed and deleted, after an explanation of what is lost', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  await page.goto('/settings/pipelines')
  const reason = named('Moved abroad')
  await page.getByRole('textbox', { name: 'New reason' }).fill(reason)
  await page.getByRole('button', { name: 'Add reason' }).click()
  await page.getByRole('button', { name: `Edit “${reason}”` }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`${reason} for good`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: `Delete “${reason} for good”` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(list(page, 'Loss reasons')).not.toContainText(reason)

  await visit(page, '/settings/lists')
  const name = named('Goods')
  await page.getByRole('textbox', { name: 'New list name' }).fill(name)
  await page.getByRole('button', { name: 'Add list' }).click()
  await page.getByRole('button', { name: `Edit “${name}”` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit list' })
  await dialog.getByRole('switch', { name: 'People can add items' }).click()
  await checkPage(page, '/settings/lists/change', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = list(page, 'Lists').getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Only integrations can add items')
  await page.getByRole('button', { name: `Delete “${name}”` }).click()
  await expect(page.getByRole('dialog')).toContainText('0 items with their values')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click()
  await expect(row).toBeHidden()
  expect(seen).toEqual([])
})
