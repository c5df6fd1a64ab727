import { expect, type Page, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { register, signIn, watch } from './people.ts'

interface Way {
  id: number
  name: string
  stages: { id: number; name: string }[]
}

async function newPipeline(page: Page): Promise<Way> {
  const name = `Automated ${Date.now()}`
  const statuses = ['Asked', 'Measured', 'Offered'].map((one) => ({ name: one }))
  const draft = { name, sort: 2000, is_main: false, is_unsorted_on: false, _embedded: { statuses } }
  const answer = await ask<{
    _embedded: { pipelines: { id: number; _embedded: { statuses: Way['stages'] } }[] }
  }>(page, 'POST', '/web/v4/leads/pipelines', [draft])
  const [pipeline] = answer._embedded.pipelines
  return { id: Number(pipeline?.id), name, stages: pipeline?._embedded.statuses ?? [] }
}

/** Selects an option of a select by its label. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('an action is added to a stage, acts when a lead is moved on the board, and shows in the timeline', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const way = await newPipeline(page)
  await page.goto(`/settings/pipelines/${way.id}`)
  const section = page.getByRole('region', { name: 'Automation' })
  const add = section.getByRole('button', { name: 'Add action: Measured' })
  await add.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Fill in this field.')
  await dialog.getByRole('textbox', { name: 'Task', exact: true }).fill('Send the offer')
  await checkPage(page, '/settings/pipelines/action', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await add.click()
  await choose(page, 'Action', 'Change tags')
  await dialog.getByLabel('Add tags', { exact: true }).fill('Measured')
  await dialog.getByLabel('Add tags', { exact: true }).press('Enter')
  await choose(page, 'How soon', 'After some days')
  await dialog.getByRole('textbox', { name: 'Days' }).fill('3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const cards = section.getByRole('list', { name: 'Actions of “Measured”' })
  await expect(cards.getByRole('listitem')).toHaveCount(2)
  await expect(cards).toContainText('Moved or created · in 3 days')
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkPage(page, '/settings/pipelines/automation', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })

  const [asked] = way.stages
  const draft = { name: 'Kitchen', pipeline_id: way.id, status_id: asked?.id }
  await ask(page, 'POST', '/web/v4/leads', [draft])
  await visit(page, `/leads?filter[pipeline_id]=${way.id}&shape=board`)
  await page.getByRole('article').filter({ hasText: 'Kitchen' }).getByRole('button', { name: /Move/ }).click()
  await page.getByRole('menuitem', { name: 'Measured' }).click()
  await page.getByRole('article').filter({ hasText: 'Kitchen' }).getByRole('link').first().click()
  await expect(page.getByText('Automation added a task')).toBeVisible()
  await expect(page.getByText('Send the offer').first()).toBeVisible()

  await visit(page, `/settings/pipelines/${way.id}`)
  await section.getByRole('button', { name: 'History', exact: true }).first().click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Create a task' })).toContainText('Done')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Change tags' })).toContainText('Waiting')
  await page.keyboard.press('Escape')
  await cards.getByRole('switch', { name: /Change tags/ }).press('Space')
  await cards.getByRole('button', { name: 'Delete “Create a task: Send the offer”' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(cards.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(cards.getByRole('switch', { name: /Change tags/ })).not.toBeChecked()
  expect(seen).toEqual([])
})

test('an installed widget with an address can be called, and the card shows its name', async ({ page }) => {
  await signIn(page)
  const { client_id } = await register(page, { name: 'Dialler', redirect_uri: 'https://pbx.example/oauth' })
  const manifest = { code: 'dialler', version: '1.0.0', webhook_url: 'https://pbx.example/hook' }
  await ask(page, 'PUT', `/web/integrations/${client_id}/widget`, { ...manifest, settings_template: [] })
  await ask(page, 'POST', '/web/v4/widgets/dialler', {})
  const way = await newPipeline(page)
  await page.goto(`/settings/pipelines/${way.id}`)
  await page.getByRole('button', { name: 'Add action: Measured' }).click()
  await choose(page, 'Action', 'Call a widget')
  await choose(page, 'Widget', 'Dialler')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const cards = page.getByRole('list', { name: 'Actions of “Measured”' })
  await expect(cards.getByRole('listitem')).toContainText(['Dialler'])
})

test('a changed action keeps its times to the second and the changes of others, and its history after its deletion', async ({
  page,
}) => {
  await signIn(page)
  const way = await newPipeline(page)
  const at = `/web/v4/leads/pipelines/${way.id}/automations`
  const status_id = way.stages.find(({ name }) => name === 'Measured')?.id
  const action = { type: 'create_task', text: 'Call', complete_in: 0 }
  await ask(page, 'POST', at, [{ status_id, delay: 90, action }])
  await page.goto(`/settings/pipelines/${way.id}`)
  const section = page.getByRole('region', { name: 'Automation' })
  const card = section.getByRole('list', { name: 'Actions of “Measured”' })
  await expect(card).toContainText('in 90 seconds')
  await card.getByRole('button', { name: 'Create a task', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const read = () => ask<{ _embedded: { automations: { id: number }[] } }>(page, 'GET', at)
  const [rule] = (await read())._embedded.automations
  await ask(page, 'PATCH', `${at}/${rule?.id}`, { entry: 'moved' })
  await dialog.getByRole('textbox', { name: 'Task', exact: true }).fill('Call back')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const changed = { entry: 'moved', delay: 90, action: { ...action, text: 'Call back' } }
  expect((await read())._embedded.automations).toMatchObject([changed])
  await card.getByRole('button', { name: /^Delete/ }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(card).toBeHidden()
  await section.getByRole('button', { name: 'History', exact: true }).click()
  await expect(dialog).toContainText('Nothing has happened')
})
