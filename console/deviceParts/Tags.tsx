import './tags.css'

/** Labels of a device, as quiet as text; one that is too long is cut and says itself. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className="tags">
      {tags.map((tag) => (
        <span key={tag} className="tag" title={tag}>
          {tag}
        </span>
      ))}
    </span>
  )
}
