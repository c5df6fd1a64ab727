import type { Tx } from '../../db/database.ts'
import type { ChatTemplateRow } from '../../db/tables.ts'
import { findFiles, type StoredFile } from '../../drive/drive.ts'
import { type AddFault, noSuch } from '../../errors.ts'
import type { Button, TemplatePatch } from './template-schemas.ts'

/** The files that templates attach, by uuid. */
export function findAttachments(
  tx: Tx,
  account_id: number,
  patches: readonly TemplatePatch[],
): Promise<Map<string, StoredFile>> {
  const uuids = patches.flatMap(({ attachment }) => (attachment ? [attachment.id.toLowerCase()] : []))
  return findFiles(tx, account_id, [...new Set(uuids)])
}

/** Writes the given members into a row, and adds a fault for each that is invalid. */
export function writeTemplate(
  row: ChatTemplateRow,
  patch: TemplatePatch,
  files: ReadonlyMap<string, StoredFile>,
  add: AddFault,
): void {
  const { name, content, buttons, attachment, is_editable, external_id, type } = patch
  if (name !== undefined) row.name = name
  if (content !== undefined) row.content = content
  if (row.content.trim() === '') add('NotBlank', 'content', 'This value should not be blank.')
  if (buttons) row.buttons = JSON.stringify(buttons.map((button, i) => readButton(button, i, add)))
  if (attachment !== undefined) writeAttachment(row, attachment, files, add)
  if (is_editable !== undefined) row.is_editable = is_editable ? 1 : 0
  if (external_id !== undefined) row.external_id = external_id || null
  if (type !== undefined) row.type = type
  writeWaba(row, patch, add)
}

/** A template of the type `amocrm` has none of these members, even if they are sent (docs/wire/templates.md#templates). */
function writeWaba(row: ChatTemplateRow, patch: TemplatePatch, add: AddFault): void {
  if (row.type !== 'waba') {
    Object.assign(row, noWaba)
    return
  }
  for (const member of ['waba_footer', 'waba_category', 'waba_language'] as const)
    if (patch[member] !== undefined) row[member] = patch[member] ?? ''
  if (patch.waba_examples) row.waba_examples = JSON.stringify(patch.waba_examples)
  if (patch.waba_header !== undefined) row.waba_header = patch.waba_header
  if (patch.waba_header_type !== undefined) row.waba_header_type = patch.waba_header_type
  if (row.waba_header_type === 'media' && row.file_uuid === null)
    add('FieldMissing', 'attachment', 'A header of the type media needs an attachment.')
}

/** The members of the type `waba`, empty. */
export const noWaba = {
  waba_footer: '',
  waba_category: '',
  waba_language: '',
  waba_examples: '{}',
  waba_header: null,
  waba_header_type: null,
} satisfies Partial<ChatTemplateRow>

function readButton({ type, text, url }: Button, i: number, add: AddFault): Button {
  if (type === 'inline') return { type, text }
  if (!url) add('FieldMissing', `buttons.${i}.url`, 'This field is missing.')
  else if (!/^https?:\/\/./i.test(url))
    add('InvalidFormat', `buttons.${i}.url`, 'This value is not a valid URL.')
  return { type, text, url: url ?? '' }
}

function writeAttachment(
  row: ChatTemplateRow,
  attachment: TemplatePatch['attachment'],
  files: ReadonlyMap<string, StoredFile>,
  add: AddFault,
): void {
  const file = attachment ? files.get(attachment.id.toLowerCase()) : null
  if (file === undefined) add('NotSupportedChoice', 'attachment.id', noSuch('file'))
  row.file_uuid = file?.uuid ?? null
  row.attachment_name = file ? attachment?.name || file.name : null
  row.attachment_type = file ? (attachment?.type ?? typeOf(file)) : null
}

function typeOf({ mime_type, previews }: StoredFile): string {
  if (previews > 0 || mime_type.startsWith('image/')) return 'picture'
  return mime_type.startsWith('video/') ? 'video' : 'file'
}
