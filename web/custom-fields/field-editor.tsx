import type { ComponentType } from 'react'
import type { FieldType } from '../../src/custom-fields/fields/field-types.ts'
import type { CustomField } from '../data/fields.ts'
import { CheckEditor, ChoiceEditor, ChoicesEditor } from './choice-editors.tsx'
import { FileEditor } from './file-editor.tsx'
import { AddressEditor, LabelledEditor } from './labelled-editor.tsx'
import { lineEditor, TextEditor, TimeEditor } from './line-editor.tsx'
import { decimal, line, webAddress } from './line-rules.ts'
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
  return Editor && <Editor {...props} />
}

/** The editor of each type; null if only the API can write its values. */
const editors: Record<FieldType, ComponentType<EditorProps> | null> = {
  text: lineEditor(line(1_024)),
  numeric: lineEditor(decimal),
  monetary: lineEditor(decimal),
  price: lineEditor(decimal),
  url: lineEditor(webAddress),
  streetaddress: lineEditor(line(1_024)),
  org_legal_name: lineEditor(line(1_024)),
  tracking_data: lineEditor(line(4_096)),
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
  supplier: null,
}

/** Returns why people cannot edit the values of a field, or null. */
export function lockOf(field: CustomField): 'service' | 'api' | 'kind' | null {
  if (field.disabled) return 'service'
  if (field.is_api_only) return 'api'
  return editors[field.type] ? null : 'kind'
}
