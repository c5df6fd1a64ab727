import type { ComponentType } from 'react'
import type { CustomField } from '../data/fields.ts'
import { CheckEditor, ChoiceEditor, ChoicesEditor } from './choice-editors.tsx'
import { FileEditor } from './file-editor.tsx'
import { AddressEditor, LabelledEditor } from './labelled-editor.tsx'
import { LineEditor, TextEditor, TimeEditor } from './line-editor.tsx'
import { ChainedListEditor, LinkedEntityEditor } from './record-editors.tsx'
import { ItemsEditor, LegalEntityEditor, PayerEditor } from './structure-editors.tsx'
import type { Values, WireValue } from './values.ts'

export interface EditorProps {
  field: CustomField
  value: Values
  /** Receives all values of the field; an empty list clears it. */
  onSave: (values: WireValue[]) => void
  onCancel: () => void
}

/** The inline editor of a field's values. Only for fields that are not locked. */
export function FieldEditor(props: EditorProps) {
  const Editor = editors[props.field.type]
  return Editor ? <Editor {...props} /> : null
}

/** Types without an editor can only be written through the API. */
const editors: Partial<Record<CustomField['type'], ComponentType<EditorProps>>> = {
  text: LineEditor,
  numeric: LineEditor,
  monetary: LineEditor,
  price: LineEditor,
  url: LineEditor,
  streetaddress: LineEditor,
  org_legal_name: LineEditor,
  tracking_data: LineEditor,
  textarea: TextEditor,
  date: TimeEditor,
  birthday: TimeEditor,
  date_time: TimeEditor,
  checkbox: CheckEditor,
  select: ChoiceEditor,
  radiobutton: ChoiceEditor,
  category: ChoiceEditor,
  multiselect: ChoicesEditor,
  multitext: LabelledEditor,
  smart_address: AddressEditor,
  legal_entity: LegalEntityEditor,
  payer: PayerEditor,
  items: ItemsEditor,
  linked_entity: LinkedEntityEditor,
  chained_list: ChainedListEditor,
  file: FileEditor,
}

/** Returns why people cannot edit the values of a field, or null. */
export function lockOf(field: CustomField): 'service' | 'api' | 'kind' | null {
  if (field.disabled) return 'service'
  if (field.is_api_only) return 'api'
  return editors[field.type] ? null : 'kind'
}
