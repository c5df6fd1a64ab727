import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { setFields } from '../../custom-fields/custom-fields.ts'
import { AddedField, DeletedField } from '../../custom-fields/legacy/legacy-schemas.ts'
import { draftOf, flagIn, type Item, listIn, numberIn, type Translate, textIn, to } from '../members.ts'
import { type Batch, requestIdOf, validated } from '../requests.ts'
import { linksById } from './bodies.ts'

const added: Record<string, Translate> = {
  name: to('name', textIn),
  type: to('type', numberIn),
  field_type: to('type', numberIn),
  element_type: to('element_type', numberIn),
  origin: to('origin', textIn),
  is_editable: to('disabled', (value) => (flagIn(value) === true ? 0 : 1)),
  enums: to('enums', (value) => listIn(value).map(textIn)),
}
const deleted: Record<string, Translate> = { id: to('id', numberIn), origin: to('origin', textIn) }

/** Adds and deletes fields of the calling service, all of them or none (F1). */
export async function setV2Fields(
  ctx: Context,
  actor: Actor,
  { add, delete: gone }: { add: Batch; delete: Batch },
) {
  const drafts = add.items.map((item) => ({ disabled: 1, ...draftOf(item, added) }))
  const named = gone.items.map((item) => draftOf(item, deleted))
  const fields = { add: validated(AddedField, drafts, add), delete: validated(DeletedField, named, gone) }
  const { response } = await setFields(ctx, actor, { request: { fields } })
  return [
    ...response.fields.add.map(({ id }, i) => ({
      id,
      request_id: requestIdOf(add.items[i] as Item, i),
      _links: linksById('fields', id),
    })),
    ...response.fields.delete.map(({ id }) => ({ id, _links: linksById('fields', id) })),
  ]
}
