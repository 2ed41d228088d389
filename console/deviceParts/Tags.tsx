import './tags.css'

/** A tag that is too long is cut, and its tooltip shows it whole. */
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
