package VASSAL.build;

public interface Buildable {
}
