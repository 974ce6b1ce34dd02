//! A picture as PNG: the standalone SVG, rasterised by resvg with the font of the repository.
//!
//! Not a second drawing: what the SVG shows is what the PNG shows, whatever fonts a machine has.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// DejaVu Sans, cut down to Latin letters; its licence stands beside it.
const FONT: &[u8] = include_bytes!("font/DejaVuSans.ttf");

/// Pixels for each unit of the drawing: sharp on paper and on dense screens.
const SCALE: f32 = 2.0;

/// The bytes of the PNG of an SVG of ours.
///
/// # Panics
/// When the SVG is not one of ours: they are well-formed and have a size.
pub(super) fn render(svg: &str) -> Vec<u8> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    let options = Options {
        fontdb: Arc::new(fonts),
        font_family: "DejaVu Sans".into(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).expect("a picture of ours is well-formed");
    let size = tree
        .size()
        .to_int_size()
        .scale_by(SCALE)
        .expect("a picture of ours has a size");
    let mut pixels = Pixmap::new(size.width(), size.height()).expect("a picture has pixels");
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .expect("pixels in memory can be encoded")
}
