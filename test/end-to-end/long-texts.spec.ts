import { expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { addFields, addRecord, administrator } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const TELEPHONE = { width: 390, height: 844 }
const mark = () => Date.now().toString(36)
/** A word that the browser can break only anywhere. */
const endless = (letter: string) => letter.repeat(250)
interface Box {
  scrollWidth: number
  clientWidth: number
}
const isCut = ({ scrollWidth, clientWidth }: Box) => scrollWidth > clientWidth
const details = (page: Page) => page.getByRole('region', { name: 'Details' })
const shownIn = (page: Page, field: string) =>
  details(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: field }) })
    .locator('dd')

test('a card shows long values in whole, or folds them with a button', async ({ page }) => {
  const api = await administrator(page)
  const unique = mark()
  const [short, long, site] = await addFields(api, 'leads', [
    { name: `short ${unique}`, type: 'text' },
    { name: `long ${unique}`, type: 'textarea' },
    { name: `site ${unique}`, type: 'url' },
  ])
  const text = `${'Line\n'.repeat(40)}The end of the text`
  const address = `https://example.com/${'path/'.repeat(12)}end`
  const id = await addRecord(api, 'leads', {
    name: endless('W'),
    custom_fields_values: [
      { field_id: short?.id, values: [{ value: 'Short' }] },
      { field_id: long?.id, values: [{ value: text }] },
      { field_id: site?.id, values: [{ value: address }] },
    ],
    _embedded: { tags: Array.from({ length: 100 }, (_, i) => ({ name: i === 3 ? endless('т') : `t${i}` })) },
  })
  await visit(page, `/leads/${id}`)

  const folded = shownIn(page, `long ${unique}`)
  const toggle = folded.getByRole('button', { name: 'Show all' })
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await toggle.click()
  await expect(folded.getByText('The end of the text')).toBeInViewport()
  const link = shownIn(page, `site ${unique}`).getByRole('link')
  expect(await link.locator('..').evaluate(isCut)).toBe(false)
  await expect(shownIn(page, 'Tags').getByRole('button', { name: 'Show all' })).toBeVisible()

  // Tab goes on to the editor of a folded value, and not to its button.
  await details(page)
    .getByRole('button', { name: `Edit: short ${unique}` })
    .click()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: `long ${unique}` })).toBeFocused()
  await page.keyboard.press('Escape')

  // The editor of tags is as wide as its column, however long a tag is, and shows what is typed after many of them.
  await details(page).getByRole('button', { name: 'Edit: Tags' }).click()
  const box = await shownIn(page, 'Tags').locator('.mantine-TagsInput-input').boundingBox()
  const column = await details(page).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((column?.x ?? 0) + (column?.width ?? 0))
  await page.keyboard.type('typed')
  await expect(page.getByRole('combobox', { name: 'Tags' })).toHaveValue('typed')
  await expect(page.getByRole('combobox', { name: 'Tags' })).toBeInViewport()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await page.setViewportSize(TELEPHONE)
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toBeVisible()
  expect(await title.evaluate(({ clientHeight }: { clientHeight: number }) => clientHeight)).toBeGreaterThan(
    100,
  )
  // The name is not squeezed between the buttons.
  expect((await title.boundingBox())?.width).toBeGreaterThan(340)
})

test('a text that is cut has a title under the pointer, and no other text has', async ({ page }) => {
  const api = await administrator(page)
  const unique = mark()
  const short = `Short ${unique}`
  const long = `Long ${unique} ${endless('я')}`.slice(0, 255)
  await addRecord(api, 'companies', { name: short })
  await addRecord(api, 'companies', { name: long })
  await visit(page, `/companies?query=${unique}`)
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link(long).hover()
  await expect(link(long)).toHaveAttribute('title', long)
  await link(short).hover()
  await expect(link(short)).not.toHaveAttribute('title')
  await expect(link(long)).not.toHaveAttribute('title')
})

test('lists and the board show two tags, the number of the others, and the whole price; a phone also the contact', async ({
  page,
}) => {
  const api = await administrator(page)
  const unique = mark()
  const name = `Priced ${unique} ${endless('n')}`.slice(0, 255)
  const contact = await addRecord(api, 'contacts', { name: `Contact ${unique}` })
  await addRecord(api, 'leads', {
    name,
    price: 999_999_999_999,
    _embedded: {
      contacts: [{ id: contact }],
      tags: Array.from({ length: 9 }, (_, i) => ({ name: `t${i}` })),
    },
  })
  await visit(page, `/leads?shape=list&query=${unique}`)
  await expect(page.getByText('+7')).toBeVisible()
  await expect(page.getByText('+7')).toHaveAttribute('title', /^t\d, .*t\d$/)
  await page.setViewportSize(TELEPHONE)
  await expect(page.getByRole('link', { name: `Contact ${unique}` })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit(page, `/leads?query=${unique}`)
  const price = page.getByRole('article').getByText('$999,999,999,999')
  await expect(price).toBeVisible()
  expect(await price.evaluate(isCut)).toBe(false)
})

test('the name of a list is not cut in favour of its traits on a phone', async ({ page }) => {
  const api = await administrator(page)
  const name = `Spare parts of cargo bikes ${mark()}`
  await api.post('catalogs', [{ name, can_add_elements: false }])
  await page.setViewportSize(TELEPHONE)
  await visit(page, '/settings/lists')
  const link = page.getByRole('main').getByRole('link', { name })
  await expect(link).toBeVisible()
  expect(await link.evaluate(isCut)).toBe(false)
})

test('a long stage leaves the button beside it whole on a phone', async ({ page }) => {
  const api = await administrator(page)
  const stage = `Waiting for the approval of the council ${mark()}`
  const { pipelines } = (
    await api.post('leads/pipelines', [
      {
        name: `Repairs ${mark()}`,
        sort: 900,
        is_main: false,
        is_unsorted_on: true,
        _embedded: { statuses: [{ name: stage, sort: 10 }] },
      },
    ])
  )._embedded
  await page.setViewportSize(TELEPHONE)
  await visit(page, `/settings/pipelines/${pipelines[0].id}`)
  const label = page.getByRole('button', { name: `Add action: ${stage}` }).locator('.mantine-Button-label')
  await expect(label).toBeVisible()
  expect(await label.evaluate(isCut)).toBe(false)
})

test('a dialog breaks a long name, and the filters of a timeline are all visible beside wide fields', async ({
  page,
}) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: endless('V') })
  await page.setViewportSize({ width: 1024, height: 768 })
  await visit(page, `/leads/${id}`)
  const kinds = page.getByRole('group', { name: 'Show only' }).getByRole('button')
  for (const kind of await kinds.all()) await expect(kind).toBeInViewport({ ratio: 1 })

  await page.getByRole('button', { name: 'Lost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close as lost' })
  const inside = (await dialog.boundingBox()) as { x: number; width: number }
  const question = (await dialog.getByText(/^Why was/).boundingBox()) as { x: number; width: number }
  expect(question.x + question.width).toBeLessThanOrEqual(inside.x + inside.width)
})

test('the buttons of the composer stay on the card beside a file with a long name', async ({ page }) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: `Files ${mark()}` })
  await visit(page, `/leads/${id}`)
  const write = page.getByRole('region', { name: 'Write' })
  await write.getByRole('button', { name: 'File' }).click()
  const name = `${endless('L')}.txt`
  await write
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect(write.getByRole('button', { name: `Remove ${name}` })).toBeInViewport({ ratio: 1 })
  await expect(write.getByRole('button', { name: 'Add', exact: true })).toBeInViewport({ ratio: 1 })
})

test('the row of a required field does not write over its name on a telephone', async ({ page }) => {
  const api = await administrator(page)
  const [pipeline] = (await api.get('leads/pipelines'))._embedded.pipelines
  const [, stage] = pipeline._embedded.statuses
  const name = `Required ${mark()}`
  const required_statuses = [{ pipeline_id: pipeline.id, status_id: stage.id }]
  const [field] = await addFields(api, 'leads', [{ name, type: 'text', required_statuses }])
  await page.setViewportSize({ width: 320, height: 640 })
  await visit(page, '/settings/fields')
  const row = page.getByRole('listitem').filter({ hasText: name })
  const boxes = [row.getByText(name), row.getByText('Required at 1 stage')].map((one) => one.boundingBox())
  const [of, tag] = await Promise.all(boxes)
  // The next test needs the stage without a required field.
  await api.remove(`leads/custom_fields/${field?.id}`)
  expect(tag?.y).toBeGreaterThanOrEqual((of?.y ?? 0) + (of?.height ?? 0))
})

test('a choice with a long name is shown in whole before it is chosen', async ({ page }) => {
  const api = await administrator(page)
  const name = `Choice ${mark()}`
  const enums = ['1', '2'].map((end, sort) => ({ value: `${endless('C').slice(0, 200)}${end}`, sort }))
  await addFields(api, 'companies', [{ name, type: 'select', enums }])
  const id = await addRecord(api, 'companies', { name: `Chooses ${mark()}` })
  await visit(page, `/companies/${id}`)
  await page.getByRole('button', { name: /^Show \d+ empty fields/ }).click()
  await details(page)
    .getByRole('button', { name: `Edit: ${name}` })
    .click()
  const options = page.getByRole('option', { name: /^CCC/ })
  await expect(options).toHaveCount(2)
  // The text breaks into lines within the list, whose edge would cut a single line.
  for (const option of await options.all()) {
    const { height = 0 } = (await option.boundingBox()) ?? {}
    expect(height).toBeGreaterThan(60)
  }
})
