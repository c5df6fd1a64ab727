import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { addRecord } from './record-world.ts'
import { type Kind, kinds, nameOf, type Rights, type Scene, setScene } from './rights-scene.ts'

test.use({ viewport: { width: 1440, height: 900 } })
// Each test signs in two people.
test.beforeEach(() => test.setTimeout(180_000))

const titles = { leads: 'Leads', contacts: 'Contacts', companies: 'Companies', customers: 'Customers' }
const names = (page: Page) => page.getByRole('grid').locator('[data-row-link]')
const listOf = (kind: Kind, word: string) => `/${kind}?shape=list&query=${word}`
const readOnly = 'You can view this card but not change it.'

/** The expected list: the API's response to the same session. */
async function answered({ me, word }: Scene, kind: Kind): Promise<{ names: string[]; total: number }> {
  const list = await me.api.get(`${kind}?query=${word}&limit=250`)
  const { total } = await me.api.get(`${kind}/totals?query=${word}`)
  return { names: (list?._embedded[kind] ?? []).map(({ name }: { name: string }) => name), total }
}

async function openList(page: Page, kind: Kind, word: string): Promise<void> {
  await visit(page, listOf(kind, word))
  await expect(page.getByRole('heading', { level: 1, name: titles[kind] })).toBeVisible()
}

/** Checks that the rows and count of a list match the API and the permissions. */
async function expectList(scene: Scene, kind: Kind, whose: ('mine' | 'theirs')[]): Promise<void> {
  const { page } = scene.me
  const said = await answered(scene, kind)
  const wanted = whose.map((one) => nameOf(scene.word, one, kind))
  expect(said.names.toSorted(), kind).toEqual(wanted.toSorted())
  expect(said.total, kind).toBe(wanted.length)
  await openList(page, kind, scene.word)
  await expect(names(page)).toHaveCount(wanted.length)
  expect((await names(page).allTextContents()).toSorted(), kind).toEqual(wanted.toSorted())
  await expect(page.locator('main header').first()).toContainText(`${titles[kind]}${wanted.length}`)
}

const seen: Record<Rights, ('mine' | 'theirs')[]> = {
  own: ['mine'],
  'own, no export, no delete': ['mine'],
  "group's, only to read": ['mine'],
  'sees all, changes own': ['mine', 'theirs'],
}

for (const rights of Object.keys(seen) as Rights[])
  test(`lists and their totals: ${rights}`, async ({ page, request }) => {
    const scene = await setScene(page, request, rights)
    const errors = watch(scene.me.page)
    for (const kind of kinds) await expectList(scene, kind, seen[rights])
    // Without a search too: as many as the API counts.
    const { total } = await scene.me.api.get('leads/totals')
    await visit(scene.me.page, '/leads?shape=list')
    await expect(scene.me.page.locator('main header').first()).toContainText(`Leads${total}`)
    expect(errors).toEqual([])
  })

const column = (page: Page, id: number) => page.locator(`[data-column="${id}"]`)
const card = (page: Page, id: number) => page.locator(`[data-lead="${id}"]`)

async function openBoard({ me, word, stage }: Scene): Promise<void> {
  await visit(me.page, `/leads?shape=board&query=${word}`)
  await expect(column(me.page, stage.id).getByRole('heading')).toBeVisible()
  await expect(column(me.page, stage.id).locator('[data-lead]').first()).toBeVisible()
}

test('the board of a person with own permissions: their leads and total, and no way to move others', async ({
  page,
  request,
}) => {
  const scene = await setScene(page, request, 'own')
  const { me, mine, theirs, stage, word } = scene
  await openBoard(scene)
  await expect(column(me.page, stage.id)).toContainText('1 lead')
  await expect(column(me.page, stage.id)).toContainText('$300')
  await expect(card(me.page, mine.leads)).toHaveAttribute('draggable', 'true')
  await expect(card(me.page, theirs.leads)).toHaveCount(0)
  const name = nameOf(word, 'mine', 'leads')
  await expect(me.page.getByRole('button', { name: `Move “${name}” to another stage` })).toBeAttached()
  await expect(me.page.getByRole('button', { name: `Add a lead to ${stage.name}` })).toBeVisible()
})

test('the board of a person who sees all and changes their own: all are totaled, only theirs can be dragged', async ({
  page,
  request,
}) => {
  const scene = await setScene(page, request, 'sees all, changes own')
  const { me, mine, theirs, stage, word } = scene
  await openBoard(scene)
  const { sum } = await me.api.get(`leads/totals?query=${word}`)
  expect(sum).toBe(7_300)
  await expect(column(me.page, stage.id)).toContainText('2 leads')
  await expect(column(me.page, stage.id)).toContainText('$7,300')
  await expect(card(me.page, mine.leads)).toHaveAttribute('draggable', 'true')
  await expect(card(me.page, theirs.leads)).toBeVisible()
  await expect(card(me.page, theirs.leads)).not.toHaveAttribute('draggable', 'true')
  await expect(card(me.page, theirs.leads).getByRole('button')).toHaveCount(0)
  // The keyboard does not move the card.
  await card(me.page, theirs.leads).getByRole('link').focus()
  await me.page.keyboard.press('Shift+ArrowRight')
  await expect(card(me.page, theirs.leads)).toBeVisible()
  expect((await scene.admin.get(`leads/${theirs.leads}`)).status_id).toBe(stage.id)
})

test('the board of a read-only person cannot move or add leads', async ({ page, request }) => {
  const scene = await setScene(page, request, "group's, only to read")
  const { me, mine, theirs } = scene
  await openBoard(scene)
  await expect(card(me.page, mine.leads)).not.toHaveAttribute('draggable', 'true')
  await expect(card(me.page, theirs.leads)).toHaveCount(0)
  await expect(me.page.getByRole('button', { name: /^(?:Move|Add a lead)/ })).toHaveCount(0)
  await expect(me.page.getByRole('button', { name: 'New lead' })).toHaveCount(0)
})

const gone: Record<Kind, string> = {
  leads: 'This lead no longer exists, or you do not have permission to see it',
  contacts: 'This contact no longer exists, or you do not have permission to see it',
  companies: 'This company no longer exists, or you do not have permission to see it',
  customers: 'This customer no longer exists, or you do not have permission to see it',
}

test('the card of a hidden record shows a message and no data; their own card can be edited', async ({
  page,
  request,
}) => {
  const scene = await setScene(page, request, 'own')
  const { me, mine, theirs, word } = scene
  const errors = watch(me.page)
  for (const kind of kinds) {
    await visit(me.page, `/${kind}/${theirs[kind]}`)
    await expect(me.page.getByText(gone[kind])).toBeVisible()
    await expect(me.page.getByRole('link', { name: 'Go to list' })).toBeVisible()
    await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
    await expect(me.page).not.toHaveTitle(new RegExp(word))
    const answer = await me.page.request.get(`/web/v4/${kind}/${theirs[kind]}`)
    expect(answer.status()).toBe(204)

    await visit(me.page, `/${kind}/${mine[kind]}`)
    await expect(me.page.getByRole('heading', { level: 1, name: `${word} mine` })).toBeVisible()
    await expect(me.page.getByRole('region', { name: 'Write' })).toBeVisible()
    await expect(me.page.getByText(readOnly)).toHaveCount(0)
    await me.page.getByRole('button', { name: 'More actions' }).click()
    await expect(me.page.getByRole('menuitem', { name: 'Move to trash' })).toBeVisible()
  }
  expect(errors).toEqual([])
})

/** Checks a read-only card: a notice instead of editors. */
async function expectReadOnly(page: Page, path: string, name: string): Promise<void> {
  await visit(page, path)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText(readOnly).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Write' })).toHaveCount(0)
  const offers = /^(?:Edit:|Move to|Link |Unlink|Won$|Lost$|Make the main)/
  await expect(page.getByRole('main').getByRole('button', { name: offers })).toHaveCount(0)
  // Tasks can be added to every visible record.
  await expect(page.getByRole('button', { name: 'Add task' })).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /trash|Merge/ })).toHaveCount(0)
}

test('a card without edit permission is read-only and says so', async ({ page, request }) => {
  const reads = await setScene(page, request, "group's, only to read")
  for (const kind of kinds)
    await expectReadOnly(reads.me.page, `/${kind}/${reads.mine[kind]}`, nameOf(reads.word, 'mine', kind))
  await visit(reads.me.page, `/leads/${reads.theirs.leads}`)
  await expect(reads.me.page.getByText(gone.leads)).toBeVisible()

  // The open application is that of the first person, and reads nothing any more.
  await page.goto('about:blank')
  const sees = await setScene(page, request, 'sees all, changes own')
  for (const kind of kinds)
    await expectReadOnly(sees.me.page, `/${kind}/${sees.theirs[kind]}`, nameOf(sees.word, 'theirs', kind))
})

test('a card whose permission was taken away meanwhile is read-only after the first refusal', async ({
  page,
  request,
}) => {
  const { admin, me, mine } = await setScene(page, request, 'own')
  await visit(me.page, `/leads/${mine.leads}`)
  const note = me.page.getByPlaceholder(/^Write a note/)
  await note.fill('Too late')
  const none = { view: 'M', edit: 'D', add: 'D', delete: 'D', export: 'D' }
  await admin.patch(`users/${me.id}`, { rights: { leads: none } })
  await me.page.getByRole('button', { name: 'Add note' }).click()
  await expect(me.page.getByRole('alert')).toContainText('You do not have permission to do this.')
  await expect(me.page.getByText('You can view this card but not change it.')).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('a person without delete permission is not offered it on their own card', async ({ page, request }) => {
  const { me, mine, word } = await setScene(page, request, 'own, no export, no delete')
  for (const kind of kinds) {
    await visit(me.page, `/${kind}/${mine[kind]}`)
    await expect(me.page.getByRole('heading', { level: 1, name: `${word} mine` })).toBeVisible()
    await expect(me.page.getByRole('region', { name: 'Write' })).toBeVisible()
    await me.page.getByRole('button', { name: 'More actions' }).click()
    await expect(me.page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
    await expect(me.page.getByRole('menuitem', { name: /trash|Merge/ })).toHaveCount(0)
  }
})

test('hidden linked records have no name on the card or in the list', async ({ page, request }) => {
  const { admin, me, mine, theirs, word } = await setScene(page, request, 'own')
  await admin.post(`leads/${mine.leads}/link`, [
    { to_entity_id: theirs.contacts, to_entity_type: 'contacts', metadata: { is_main: true } },
  ])
  for (const path of [`/leads/${mine.leads}`, listOf('leads', word), `/leads?shape=board&query=${word}`]) {
    await visit(me.page, path)
    await expect(me.page.getByText(nameOf(word, 'mine', 'leads')).first()).toBeVisible()
    await me.page.waitForLoadState('networkidle')
    await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
  }
})

test('search finds only visible records', async ({ page, request }) => {
  const scene = await setScene(page, request, 'own')
  const { me, word } = scene
  const said = await me.api.get(`search?query=${word}`)
  const found = Object.values<{ name: string }[]>(said._embedded)
    .flat()
    .map(({ name }) => name)
  expect(found.toSorted()).toEqual(kinds.map((kind) => nameOf(word, 'mine', kind)).toSorted())
  await visit(me.page, '/')
  await expect(me.page.getByRole('heading', { level: 1 })).toBeVisible()
  await me.page.keyboard.press('Control+k')
  await me.page.getByRole('combobox', { name: 'Search', exact: true }).fill(word)
  const dialog = me.page.getByRole('dialog', { name: 'Search' })
  for (const kind of kinds)
    await expect(dialog.getByRole('option', { name: nameOf(word, 'mine', kind) })).toBeVisible()
  await expect(dialog).not.toContainText(`${word} theirs`)
  // Hidden pages are not offered either.
  await me.page.getByRole('combobox', { name: 'Search', exact: true }).fill('Pipelines')
  await expect(dialog.getByText('Nothing matches')).toBeVisible()
})

test('an export has only the rows that can be exported', async ({ page, request }) => {
  const scene = await setScene(page, request, 'own')
  const { me, word } = scene
  for (const kind of kinds) {
    await openList(me.page, kind, word)
    await me.page.getByRole('button', { name: 'More', exact: true }).click()
    const [file] = await Promise.all([
      me.page.waitForEvent('download'),
      me.page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    expect(text, kind).toContain(nameOf(word, 'mine', kind))
    expect(text, kind).not.toContain(`${word} theirs`)
    expect(text.trim().split('\n'), kind).toHaveLength(2)
  }
  // The complete export too, not only the search.
  const everything = await (await me.page.request.get('/web/v4/leads?format=ndjson')).text()
  expect(everything.trim().split('\n')).toHaveLength((await me.api.get('leads/totals')).total)
})

for (const rights of ['own, no export, no delete', "group's, only to read"] as const)
  test(`exports are neither offered nor allowed: ${rights}`, async ({ page, request }) => {
    const { me, word } = await setScene(page, request, rights)
    for (const kind of kinds) {
      await openList(me.page, kind, word)
      await expect(names(me.page).first()).toBeVisible()
      const more = me.page.getByRole('button', { name: 'More', exact: true })
      if (await more.count()) {
        await more.click()
        await expect(me.page.getByRole('menuitem', { name: /Export/ })).toHaveCount(0)
      }
      const answer = await me.page.request.get(`/web/v4/${kind}?query=${word}&format=csv`)
      expect(answer.status(), kind).toBe(403)
    }
  })

test('a read-only person cannot select rows, add or import', async ({ page, request }) => {
  const { me, word } = await setScene(page, request, "group's, only to read")
  for (const kind of kinds) {
    await openList(me.page, kind, word)
    await expect(names(me.page).first()).toBeVisible()
    await expect(me.page.getByRole('checkbox', { name: 'Select this row' })).toHaveCount(0)
    await expect(me.page.getByRole('button', { name: /^New / })).toHaveCount(0)
    await expect(me.page.getByRole('button', { name: 'More', exact: true })).toHaveCount(0)
  }
  await visit(me.page, '/import')
  await expect(me.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(me.page.getByText('No imports yet')).toBeVisible()
  await expect(me.page.getByRole('link', { name: /^Import (contacts|companies|leads)/ })).toHaveCount(0)
  await expect(me.page.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
  await visit(me.page, '/import/new/leads')
  await expect(me.page.getByText('You do not have permission to do this')).toBeVisible()
  await expect(me.page.getByText('Drop a CSV file here')).toHaveCount(0)
})

test('a bulk change of a whole list only changes permitted records', async ({ page, request }) => {
  const { admin, me, word, theirs } = await setScene(page, request, 'sees all, changes own')
  const second = await addRecord(admin, 'leads', {
    name: `${word} mine too`,
    responsible_user_id: me.id,
  })
  await openList(me.page, 'leads', word)
  await expect(names(me.page)).toHaveCount(3)
  await me.page.getByRole('checkbox', { name: 'Select all' }).check()
  await me.page.getByRole('button', { name: 'Change…' }).click()
  const dialog = me.page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('all-of-it')
  await me.page.keyboard.press('Enter')
  await me.page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Change 3' }).click()
  await expect(dialog).toHaveCount(0)
  await visit(me.page, '/import')
  // While the change runs, the frame of the application has a link to it too.
  await me.page.getByRole('main').getByRole('link', { name: 'Change to 3 leads' }).click()
  await expect(me.page.getByText('Done, 1 rejected')).toBeVisible()
  await expect(me.page.getByText('You do not have permission to do this with the record.')).toBeVisible()
  const tagsOf = async (id: number) =>
    (await admin.get(`leads/${id}`))._embedded.tags.map(({ name }: { name: string }) => name)
  expect(await tagsOf(second)).toEqual(['all-of-it'])
  expect(await tagsOf(theirs.leads)).toEqual([])
})

test('a person without delete permission is not offered bulk deletion', async ({ page, request }) => {
  const { me, word } = await setScene(page, request, 'own, no export, no delete')
  await openList(me.page, 'leads', word)
  await me.page.getByRole('checkbox', { name: 'Select all' }).check()
  await expect(me.page.getByRole('button', { name: 'Export' })).toHaveCount(0)
  await me.page.getByRole('button', { name: 'Change…' }).click()
  await expect(me.page.getByRole('dialog').getByRole('button', { name: 'Change 1' })).toBeVisible()
  await expect(me.page.getByRole('dialog').getByRole('button', { name: /Delete/ })).toHaveCount(0)
})
