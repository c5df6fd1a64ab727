import { useQuery } from '@tanstack/react-query'
import { type DescribedWidget, manifestOptions, putManifest } from '../../data/widgets.ts'
import { StoredForm } from '../../parts/forms/stored-form.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { useIntegration } from './integration-window.tsx'
import { ManifestFields } from './manifest-fields.tsx'
import { changesOf, draftOf, useManifestForm } from './manifest-form.ts'

/** The description of the widget of an integration. */
export function WidgetTab() {
  const query = useQuery(manifestOptions(useIntegration().id))
  return <Loaded query={query}>{(widget) => <ManifestForm widget={widget} />}</Loaded>
}

function ManifestForm({ widget }: { widget: DescribedWidget }) {
  const form = useManifestForm(draftOf(widget))
  return (
    <StoredForm form={form} stored={widget} draftOf={draftOf} changesOf={changesOf} patch={putManifest}>
      <ManifestFields form={form} />
    </StoredForm>
  )
}
